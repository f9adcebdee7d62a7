//! Looking for access points, channel by channel (802.11-2020, 11.1.4.2 and 11.1.4.3).

use super::client::Client;
use super::config::ScanConfig;
use super::frames::Body;
use super::state::{ScanPhase, State};
use super::{Action, GROUP};
use base::Time;

impl Client {
    pub(super) fn begin_scan(&mut self, now: Time, out: &mut Vec<Action>) {
        self.deadline = Time::NEVER;
        self.signals.begin_scan(self.own);
        self.visit(0, now, out);
    }

    /// A step of the scan has taken its time.
    pub(super) fn on_scan_timeout(
        &mut self,
        (at, step): (usize, ScanPhase),
        noticed: bool,
        now: Time,
        out: &mut Vec<Action>,
    ) {
        match (step, self.config.scan) {
            (ScanPhase::Listening, ScanConfig::Active { max_channel_time, .. }) => {
                self.state = State::Scanning(at, ScanPhase::Asking);
                // A medium that stays busy does not hold it for ever; the standard says nothing of this.
                self.deadline = now + max_channel_time;
                out.push(Action::Send(GROUP, self.config.elements.frame(Body::ProbeRequest)));
            }
            (
                ScanPhase::Awaiting(since),
                ScanConfig::Active { min_channel_time, max_channel_time, .. },
            ) if noticed && now < since + max_channel_time.max(min_channel_time) => {
                self.deadline = since + max_channel_time;
            }
            _ => {
                out.push(Action::Withdraw);
                self.visit(at + 1, now, out);
            }
        }
    }

    /// Goes to the `at`-th channel; behind the last the scan is over.
    fn visit(&mut self, at: usize, now: Time, out: &mut Vec<Action>) {
        let Some(&channel) = self.config.channels.get(at) else { return self.choose(now, out) };
        self.state = State::Scanning(at, ScanPhase::Tuning);
        if !self.go_to(channel, out) {
            self.listen(at, now);
        }
    }

    pub(super) fn listen(&mut self, at: usize, now: Time) {
        self.state = State::Scanning(at, ScanPhase::Listening);
        self.deadline = now
            + match self.config.scan {
                ScanConfig::Passive { dwell } => dwell,
                ScanConfig::Active { probe_delay, .. } => probe_delay,
            };
    }

    /// The probe request is out: the probe timer starts (11.1.4.3.2).
    pub(super) fn await_answers(&mut self, at: usize, now: Time) {
        if let ScanConfig::Active { min_channel_time, .. } = self.config.scan {
            self.state = State::Scanning(at, ScanPhase::Awaiting(now));
            self.deadline = now + min_channel_time;
        }
    }
}

//! What fits the rest of a TXOP.

use super::contender::Contender;
use super::stations::Stations;
use super::window::DELIMITER;
use crate::frames::BLOCK_ACK_REQUEST_BYTES;
use crate::rates::Rates;
use base::{StationId, Time};

impl Stations {
    /// The receiver of what the holder of a TXOP would send next, if that is over, with its answer, before the TXOP is.
    pub(crate) fn fitting(
        &self,
        holder: Contender,
        (start, until): (Time, Time),
        rates: &Rates,
    ) -> Option<StationId> {
        let station = &self.all[holder.station().index()];
        let (mac, function) = (station.mac, &station.functions[holder.place()]);
        let to = function.receiver()?;
        if let Some(action) = function.action() {
            let (frame, rest) =
                action.says.takes(rates.timing(rates.first((holder.station(), to))));
            return (start + frame + rest <= until).then_some(to);
        }
        let bytes = function.next_mpdu(mac.data_overhead());
        let timing = rates.timing(rates.latest((holder.station(), to)));
        let frame = match bytes {
            Some(bytes) => timing.data((u64::from(bytes) + DELIMITER) * 8),
            None => timing.control(BLOCK_ACK_REQUEST_BYTES),
        };
        let answer = match bytes {
            Some(_) => timing.ack.airtime,
            None => timing.control(self.block_ack_bytes(holder.station())),
        };
        (start + frame + timing.sifs + answer <= until).then_some(to)
    }
}

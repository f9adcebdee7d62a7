//! Tests of the window: not beside it, since laws outside lasthop have its file too.

use crate::tcp::config::{SsthreshBase, TcpConfig};

#[test]
fn a_cut_never_goes_below_two_segments() {
    let mut w = TcpConfig::default().window();
    w.cut(1.5);
    assert_eq!((w.cwnd, w.ssthresh), (2.0, 2.0));
}

#[test]
fn whole_segments_too_may_go_on_at_the_threshold() {
    let rules = TcpConfig { whole_steps: true, ..TcpConfig::default() };
    for (slow_start_at_threshold, grown) in [(false, 10.0), (true, 11.0)] {
        let mut w = TcpConfig { slow_start_at_threshold, ..rules.clone() }.window();
        (w.cwnd, w.ssthresh) = (10.0, 10.0);
        w.grow(1.0, 1.0);
        assert_eq!(w.cwnd, grown);
    }
}

#[test]
fn slow_start_may_go_on_at_the_threshold() {
    for (slow_start_at_threshold, grown) in [(false, 10.1), (true, 11.0)] {
        let mut w = TcpConfig { slow_start_at_threshold, ..TcpConfig::default() }.window();
        (w.cwnd, w.ssthresh) = (10.0, 10.0);
        w.grow(1.0, 1.0);
        assert_eq!(w.cwnd, grown);
        assert!(!w.in_slow_start());
    }
}

#[test]
fn a_law_that_grows_in_slow_start_only_leaves_the_rest_of_an_acknowledgement() {
    let mut w = TcpConfig { whole_steps: true, ..TcpConfig::default() }.window();
    (w.cwnd, w.ssthresh) = (9.0, 10.0);
    w.grow(2.0, 0.0);
    w.grow(1.0, 1.0);
    // One of the ten that the next segment takes is counted already.
    for left in (0..9).rev() {
        assert_eq!(w.cwnd, 10.0, "{left}");
        w.grow(1.0, 1.0);
    }
    assert_eq!(w.cwnd, 11.0);
}

#[test]
fn linux_counts_whole_segments() {
    let ssthresh_base = SsthreshBase::WholeCwnd;
    let mut w = TcpConfig { ssthresh_base, ..TcpConfig::default() }.window();
    w.cut(3.5);
    assert_eq!((w.cwnd, w.ssthresh), (3.0, 3.0));
}

#[test]
fn ns2_rounds_the_threshold_and_not_the_window() {
    let of = |ssthresh_base| TcpConfig { ssthresh_base, ..TcpConfig::default() }.window();
    let mut w = of(SsthreshBase::Window);
    w.cut(7.25);
    assert_eq!((w.cwnd, w.ssthresh), (7.25, 7.0));
    let mut w = of(SsthreshBase::WholeWindow);
    w.cut(7.25);
    assert_eq!((w.cwnd, w.ssthresh), (7.0, 7.0));
    w.collapse(5.5);
    assert_eq!((w.cwnd, w.ssthresh), (1.0, 5.0));
}

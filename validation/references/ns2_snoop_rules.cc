// An agent for ns-2.35's LL/LLSnoop with lasthop's rules in place of those of ns-2 that RULES names in the environment:
//   fresh   each acknowledgement has a count of duplicates of its own (in ns-2 one count goes on over all of them)
//   hold    the duplicate before the threshold goes no further (ns-2 passes it on)
//   lost    more duplicates than expected say that the copy is lost (ns-2 passes them on, and waits for its timer)
//   blocks  SACK's blocks in an acknowledgement that advances tell of the next hole, and go no further (ns-2 ignores them)
//   timer   round trips by RFC 6298, without what was sent twice (ns-2: the newest counts seven eighths, copies count)
// Without any it is ns-2's to the packet. Debian's `ns` loads it (ns2_snoop.tcl); ns2_snoop.sh builds it.
#include "snoop.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

static bool has_rule(const char* name) {
    const char* rules = getenv("RULES");
    return rules && strstr(rules, name);
}

class RuledSnoop : public Snoop {
public:
    void handle(Event* event) override {
        Packet* packet = reinterpret_cast<Packet*>(event);
        hdr_tcp* tcp = hdr_tcp::access(packet);
        if (hdr_cmn::access(packet)->ptype() != PT_ACK) {
            Snoop::handle(event);
        } else if (tcp->seqno() > lastAck_) {
            on_new_ack(event, tcp);
        } else if (tcp->seqno() < lastAck_ || on_duplicate(tcp->seqno()) == SNOOP_PROPAGATE) {
            Scheduler::instance().schedule(recvtarget_, event, parent_->delay());
        } else {
            Packet::free(packet);
        }
    }

private:
    const bool fresh = has_rule("fresh"), hold = has_rule("hold"), lost = has_rule("lost");
    const bool blocks = has_rule("blocks"), timer = has_rule("timer");
    int towards_threshold = 0;
    int duplicates = 0;    // of the present acknowledgement
    int still_expected = -1;  // by the rule `lost`; below 0: no copy was sent for a duplicate
    double smoothed = -1, deviation = 0;

    hdr_snoop* at(int i) { return hdr_snoop::access(pkts_[i]); }

    // Segments that went to the mobile after the cache's first.
    int beyond() { return (bufhead_ - buftail_ - 1 + SNOOP_MAXWIND) % SNOOP_MAXWIND; }

    void on_new_ack(Event* event, hdr_tcp* tcp) {
        int i = buftail_;
        double sent = -1;
        for (; i != bufhead_ && at(i)->seqno() <= tcp->seqno(); i = next(i))
            sent = at(i)->numRxmit() || at(i)->senderRxmit() ? -1 : at(i)->sndTime();
        bool next_hole = blocks && tcp->sa_length() > 0 && i != bufhead_ && at(i)->seqno() == tcp->seqno() + 1 &&
                         !at(i)->senderRxmit();
        if (next_hole) tcp->sa_length() = 0;
        Snoop::handle(event);
        duplicates = 0, still_expected = -1;
        if (fresh) towards_threshold = 0;
        if (next_hole) on_loss(pkts_[buftail_]);
        if (timer) measure(sent);
    }

    void measure(double sent) {
        double rtt = Scheduler::instance().clock() - sent;
        if (sent >= 0 && smoothed < 0) {
            smoothed = rtt, deviation = rtt / 2;
        } else if (sent >= 0) {
            deviation += (fabs(smoothed - rtt) - deviation) / 4;
            smoothed += (rtt - smoothed) / 8;
        }
        srtt_ = smoothed < 0 ? 1 : smoothed, rttvar_ = deviation;
        if (!toutPending_) return;
        Scheduler::instance().cancel(toutPending_);
        Scheduler::instance().schedule(rxmitHandler_, toutPending_, timeout());
    }

    int on_duplicate(int ack) {
        Packet* head = pkts_[buftail_];
        if (!head || at(buftail_)->seqno() > ack + 1) return SNOOP_PROPAGATE;
        bool senders = at(buftail_)->senderRxmit();
        if (lost && !senders) return on_loss(head);
        if (expDupacks_ > 0) {
            expDupacks_--;
            return SNOOP_SUPPRESS;
        }
        if (towards_threshold++ < 1) return hold && !senders ? SNOOP_SUPPRESS : SNOOP_PROPAGATE;
        towards_threshold = 0;
        if (senders) return SNOOP_PROPAGATE;
        expDupacks_ = (bufhead_ - expNextAck_ + SNOOP_MAXWIND) % SNOOP_MAXWIND - 2;
        expNextAck_ = next(buftail_);
        return at(buftail_)->numRxmit() == 0 ? snoop_rxmit(head) : SNOOP_PROPAGATE;
    }

    // By the rule `lost`: a duplicate, or an acknowledgement's blocks.
    int on_loss(Packet* head) {
        duplicates++;
        bool copied = hdr_snoop::access(head)->numRxmit() > 0;
        if (!copied && towards_threshold++ < 1) return hold ? SNOOP_SUPPRESS : SNOOP_PROPAGATE;
        if (copied && still_expected < 0) {  // the timer sent it: what went before is still being answered
            still_expected = std::max(0, beyond() - duplicates + 1);
            return SNOOP_SUPPRESS;
        }
        if (copied && still_expected-- > 0) return SNOOP_SUPPRESS;
        towards_threshold = 0;
        still_expected = std::max(0, beyond() - duplicates);
        return snoop_rxmit(head);
    }
};

static class RuledSnoopClass : public TclClass {
public:
    RuledSnoopClass() : TclClass("Snoop/Ruled") {}
    TclObject* create(int, const char* const*) override { return new RuledSnoop; }
} ruled_snoop_class;

extern "C" int Rules_Init(Tcl_Interp*) { return TCL_OK; }

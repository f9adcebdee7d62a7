# One FTP from a fixed host by a base station to a mobile whose link loses packets, with or without LL/LLSnoop.
#   [RULES="..."] ns ns2_snoop.tcl VARIANT SNOOP(0|1) LOSS SECONDS WARMUP SEED DELAY(ms)
# With RULES in the environment the agent is that of ns2_snoop_rules.cc.
lassign $argv variant snoop loss seconds warmup seed delay
remove-all-packet-headers
add-packet-header Flags IP TCP Snoop LL Mac ARP
ns-random $seed
# The LAN between base and middle is there for the agent's sake: it takes no time to speak of.
Mac set bandwidth_ 10000Mb
set ns [new Simulator]
if {[info exists env(RULES)]} {
    load ./ns2_snoop_rules.so Rules
    LL/LLSnoop instproc get-snoop {src dst} {
        $self instvar snoops_ delay_
        if {![info exists snoops_($src:$dst)]} { set snoops_($src:$dst) [new Snoop/Ruled] }
        $snoops_($src:$dst) llsnoop $self
        $snoops_($src:$dst) set delay_ $delay_
        return $snoops_($src:$dst)
    }
}
foreach name {fixed base middle mobile} { set $name [$ns node] }
Agent/TCP set packetSize_ 1000
Agent/TCP set window_ 30
$ns duplex-link $fixed $base 10Mb ${delay}ms DropTail
$ns duplex-link $middle $mobile 2Mb 2ms DropTail
foreach pair [list [list $fixed $base] [list $base $fixed] [list $middle $mobile] [list $mobile $middle]] {
    $ns queue-limit [lindex $pair 0] [lindex $pair 1] 1000
}
set ll [expr {$snoop ? "LL/LLSnoop" : "LL"}]
set lan [$ns make-lan [list $middle] 1000Mb 0.001ms LL Queue/DropTail Mac]
$lan addNode [list $base] 1000Mb 0.001ms $ll Queue/DropTail Mac
foreach node [list $base $middle] { [[$lan set lanIface_($node)] set ifq_] set limit_ 1000 }

set error [new ErrorModel]
$error unit pkt
$error set rate_ $loss
$error ranvar [new RandomVariable/Uniform]
$error drop-target [new Agent/Null]
$ns link-lossmodel $error $middle $mobile

switch $variant {
    reno { set tcp [new Agent/TCP/Reno]; set sink [new Agent/TCPSink] }
    newreno { set tcp [new Agent/TCP/Newreno]; set sink [new Agent/TCPSink] }
    sack { set tcp [new Agent/TCP/Sack1]; set sink [new Agent/TCPSink/Sack1] }
}
$ns attach-agent $fixed $tcp
$ns attach-agent $mobile $sink
$ns connect $tcp $sink
set ftp [new Application/FTP]
$ftp attach-agent $tcp
set watch [$ns monitor-queue $middle $mobile ""]
set from [list 0 0 0 0]
proc counts {} {
    global tcp watch
    list [$tcp set ack_] [$tcp set nrexmitpack_] [expr {[$watch set parrivals_] - [$tcp set ndatapack_]}] [$watch set pdrops_]
}
$ns at 0.0 "$ftp start"
$ns at $warmup "set from \[counts\]"
proc finish {} {
    global from seconds warmup
    set now [counts]
    foreach a $from b $now { lappend diff [expr {$b - $a}] }
    lassign $diff packets again local drops
    puts [format "%.6f %d %d %d" [expr {$packets * 8000.0 / ($seconds - $warmup)}] $again $local $drops]
    exit 0
}
$ns at $seconds finish
$ns run

# FLOWS NewReno bulk transfers, one over 100 Mbit/s, 1 ms and 10 Mbit/s, 20 ms (a queue of 100), or many over links of
# 1 Gbit/s and 1 to 50.5 ms that share 100 Mbit/s, 1 ms (a queue of 500):
#   ns wire.tcl FLOWS SECONDS
# Prints how many segments were acknowledged.
set flows [lindex $argv 0]
set seconds [lindex $argv 1]

Agent/TCP set packetSize_ 1000
Agent/TCP set window_ 10000
Agent/TCP set maxcwnd_ 0
Agent/TCP set singledup_ 1
Agent/TCP set minrto_ 0.2

set ns [new Simulator]
$ns use-scheduler Heap
set left [$ns node]
set right [$ns node]
if {$flows == 1} {
    $ns duplex-link $left $right 10Mb 20ms DropTail
    $ns queue-limit $left $right 100
} else {
    Agent/TCP set window_ 1000
    $ns duplex-link $left $right 100Mb 1ms DropTail
    $ns queue-limit $left $right 500
}
$ns queue-limit $right $left 100000
for {set i 0} {$i < $flows} {incr i} {
    set source [$ns node]
    if {$flows == 1} {
        $ns duplex-link $source $left 100Mb 1ms DropTail
    } else {
        $ns duplex-link $source $left 1Gb [expr 1.0 + 0.5 * $i]ms DropTail
    }
    $ns queue-limit $source $left 100000
    $ns queue-limit $left $source 100000
    set tcp($i) [new Agent/TCP/Newreno]
    set sink [new Agent/TCPSink]
    $ns attach-agent $source $tcp($i)
    $ns attach-agent $right $sink
    $ns connect $tcp($i) $sink
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp($i)
    $ns at [expr 1.0 * $i / $flows] "$ftp start"
}
proc finish {} {
    global tcp flows
    set packets 0
    for {set i 0} {$i < $flows} {incr i} { incr packets [expr [$tcp($i) set ack_] + 1] }
    puts "packets=$packets"
    exit 0
}
$ns at $seconds "finish"
$ns run

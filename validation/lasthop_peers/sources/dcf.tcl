# N saturated stations around a receiver, 802.11b at 11 Mbit/s with control frames at 2 Mbit/s, datagrams of 1500 B:
#   ns dcf.tcl STATIONS SECONDS
# Sources offer a fifth more than the channel carries. Prints bytes of datagrams received, and how many datagrams.
set stations [lindex $argv 0]
set seconds [lindex $argv 1]
set bytes 1500

Mac/802_11 set CWMin_ 31
Mac/802_11 set CWMax_ 1023
Mac/802_11 set SlotTime_ 0.000020
Mac/802_11 set SIFS_ 0.000010
Mac/802_11 set PreambleLength_ 144
Mac/802_11 set PLCPHeaderLength_ 48
Mac/802_11 set PLCPDataRate_ 1.0e6
Mac/802_11 set dataRate_ 11.0e6
Mac/802_11 set basicRate_ 2.0e6
Mac/802_11 set RTSThreshold_ 3000
Mac/802_11 set ShortRetryLimit_ 7
Mac/802_11 set LongRetryLimit_ 4

set ns [new Simulator]
$ns use-scheduler Heap
set nowhere [open /dev/null w]
$ns trace-all $nowhere
set topography [new Topography]
$topography load_flatgrid 100 100
create-god [expr $stations + 1]
$ns node-config -adhocRouting DumbAgent -llType LL -macType Mac/802_11 -ifqType Queue/DropTail/PriQueue -ifqLen 50 \
    -antType Antenna/OmniAntenna -propType Propagation/TwoRayGround -phyType Phy/WirelessPhy \
    -channel [new Channel/WirelessChannel] -topoInstance $topography \
    -agentTrace OFF -routerTrace OFF -macTrace OFF -movementTrace OFF

set sink [$ns node]
$sink set X_ 50
$sink set Y_ 50
$sink set Z_ 0
$sink random-motion 0
for {set i 0} {$i < $stations} {incr i} {
    set node [$ns node]
    set angle [expr 6.283185307 * $i / $stations]
    $node set X_ [expr 50 + 10 * cos($angle)]
    $node set Y_ [expr 50 + 10 * sin($angle)]
    $node set Z_ 0
    $node random-motion 0
    set udp [new Agent/UDP]
    $udp set packetSize_ $bytes
    $ns attach-agent $node $udp
    set count($i) [new Agent/LossMonitor]
    $ns attach-agent $sink $count($i)
    $ns connect $udp $count($i)
    set source [new Application/Traffic/CBR]
    $source set packetSize_ $bytes
    $source set rate_ [expr 8.4e6 / $stations]
    $source set random_ 1
    $source attach-agent $udp
    $ns at [expr 0.001 + 0.0001 * $i] "$source start"
}
proc finish {} {
    global count stations
    set packets 0
    for {set i 0} {$i < $stations} {incr i} { incr packets [$count($i) set npkts_] }
    puts "packets=$packets"
    exit 0
}
$ns at $seconds "finish"
$ns run

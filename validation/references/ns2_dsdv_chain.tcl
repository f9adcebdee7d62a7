# DSDV on a chain of stations, a datagram flow from end to end:
# ns ns2_dsdv_chain.tcl stations spacing_m seconds seed rts_threshold_bytes rate_bps bytes trace
set nn [lindex $argv 0]; set d [lindex $argv 1]; set T [lindex $argv 2]; set seed [lindex $argv 3]; set rts [lindex $argv 4]; set rate [lindex $argv 5]; set size [lindex $argv 6]
ns-random $seed
Mac/802_11 set dataRate_ 2Mb
Mac/802_11 set basicRate_ 1Mb
Mac/802_11 set RTSThreshold_ $rts
set ns [new Simulator]
set tf [open [lindex $argv 7] w]
$ns trace-all $tf
set topo [new Topography]
$topo load_flatgrid 5000 500
create-god $nn
$ns node-config -adhocRouting DSDV -llType LL -macType Mac/802_11 -ifqType Queue/DropTail/PriQueue -ifqLen 50 -antType Antenna/OmniAntenna -propType Propagation/TwoRayGround -phyType Phy/WirelessPhy -channel [new Channel/WirelessChannel] -topoInstance $topo -agentTrace ON -routerTrace ON -macTrace OFF -movementTrace OFF
for {set i 0} {$i < $nn} {incr i} {
  set node($i) [$ns node]
  $node($i) random-motion 0
  $node($i) set X_ [expr 10.0 + $i*$d]; $node($i) set Y_ 10.0; $node($i) set Z_ 0.0
}
set udp [new Agent/UDP]; $udp set packetSize_ 2000
set sink [new Agent/Null]
$ns attach-agent $node(0) $udp
$ns attach-agent $node([expr $nn-1]) $sink
$ns connect $udp $sink
set cbr [new Application/Traffic/CBR]
$cbr set packetSize_ $size
$cbr set rate_ $rate
$cbr set random_ 0
$cbr attach-agent $udp
$ns at 0.0 "$cbr start"
$ns at $T "finish"
proc finish {} { global ns tf; $ns flush-trace; close $tf; exit 0 }
$ns run

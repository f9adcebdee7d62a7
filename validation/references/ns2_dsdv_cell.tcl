# DSDV in one cell: bulk TCP from a server behind a wire through the base station to each station; where errors are 1 each
# receiver has a good state (mean 100 ms) and a bad one (33.3 ms) in which every frame is lost:
# ns ns2_dsdv_cell.tcl stations mss window rts_threshold_bytes seconds seed errors trace
set nn [lindex $argv 0]; set mss [lindex $argv 1]; set win [lindex $argv 2]; set rts [lindex $argv 3]; set T [lindex $argv 4]; set seed [lindex $argv 5]; set errors [lindex $argv 6]
ns-random $seed
Mac/802_11 set dataRate_ 2Mb
Mac/802_11 set basicRate_ 1Mb
Mac/802_11 set RTSThreshold_ $rts
set ns [new Simulator]
$ns node-config -addressType hierarchical
AddrParams set domain_num_ 2
AddrParams set cluster_num_ [list 1 1]
AddrParams set nodes_num_ [list 1 [expr $nn + 1]]
set tf [open [lindex $argv 7] w]
$ns trace-all $tf
set topo [new Topography]
$topo load_flatgrid 100 100
create-god [expr $nn + 1]
proc errproc {} {
  global errors
  set good [new RandomVariable/Exponential]; $good set avg_ 0.1
  set bad [new RandomVariable/Exponential]; $bad set avg_ 0.0333
  set em [new ErrorModel/TwoState $good $bad time]
  return $em
}
set server [$ns node 0.0.0]
$ns node-config -adhocRouting DSDV -llType LL -macType Mac/802_11 -ifqType Queue/DropTail/PriQueue -ifqLen 50 -antType Antenna/OmniAntenna -propType Propagation/TwoRayGround -phyType Phy/WirelessPhy -channel [new Channel/WirelessChannel] -topoInstance $topo -wiredRouting ON -agentTrace ON -routerTrace ON -macTrace OFF -movementTrace OFF
if {$errors} { $ns node-config -IncomingErrProc errproc }
set bs [$ns node 1.0.0]
$bs random-motion 0
$bs set X_ 50.0; $bs set Y_ 50.0; $bs set Z_ 0.0
$ns node-config -wiredRouting OFF
for {set i 1} {$i <= $nn} {incr i} {
  set node($i) [$ns node 1.0.$i]
  $node($i) base-station [AddrParams addr2id [$bs node-addr]]
  $node($i) random-motion 0
  set a [expr 6.2831853 * $i / $nn]
  $node($i) set X_ [expr 50 + 10 * cos($a)]; $node($i) set Y_ [expr 50 + 10 * sin($a)]; $node($i) set Z_ 0.0
}
$ns duplex-link $server $bs 5Mb 2ms DropTail
for {set i 1} {$i <= $nn} {incr i} {
  set tcp [new Agent/TCP/Reno]; $tcp set packetSize_ $mss; $tcp set window_ $win
  set sink($i) [new Agent/TCPSink]
  $ns attach-agent $server $tcp
  $ns attach-agent $node($i) $sink($i)
  $ns connect $tcp $sink($i)
  set ftp [new Application/FTP]; $ftp attach-agent $tcp
  $ns at 0.0 "$ftp start"
}
$ns at $T "finish"
proc finish {} { global ns tf nn sink; $ns flush-trace; close $tf; exit 0 }
$ns run

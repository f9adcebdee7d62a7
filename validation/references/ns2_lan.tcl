# Stations of a half-duplex LAN, Mac/802_3 of ns-2.35, beside a server:
# ns ns2_lan.tcl scene stations payload_bytes rate_bps propagation_s link_layer_s queue window seconds seed
#   udp: every station sends datagrams to the server, faster than the LAN carries them; counted from 1 s on
#   hosts: so many FTP sessions between two hosts; server: one from each station to the server; counted from the start
# Prints by station (or session) the bytes that came (of UDP), or that were acknowledged.
foreach {scene n payload rate propagation ll queue window seconds seed} $argv break
ns-random $seed
set ns [new Simulator]
Channel set delay_ $propagation
set server [$ns node]
set nodes [list $server]
set hosts [expr {$scene == "hosts" ? 1 : $n}]
for {set i 0} {$i < $hosts} {incr i} { set station($i) [$ns node]; lappend nodes $station($i) }
$ns newLan $nodes $rate $ll -llType LL -ifqType Queue/DropTail -ifqLen $queue -macType Mac/802_3 -chanType Channel -phyType Phy/WiredPhy
for {set i 0} {$i < $n} {incr i} {
  set from $station([expr {$scene == "hosts" ? 0 : $i}])
  if {$scene == "udp"} {
    set agent [new Agent/UDP]; $agent set packetSize_ 65000
    set sink($i) [new Agent/LossMonitor]
    $ns attach-agent $from $agent; $ns attach-agent $server $sink($i); $ns connect $agent $sink($i)
    set source [new Application/Traffic/CBR]; $source set packetSize_ $payload
    $source set interval_ [expr $payload * 8.0 / $rate * 0.999]; $source attach-agent $agent
    $ns at [expr 0.0001 * $i] "$source start"
  } else {
    set tcp($i) [new Agent/TCP/Reno]; $tcp($i) set packetSize_ $payload; $tcp($i) set window_ $window
    set sink($i) [new Agent/TCPSink]
    $ns attach-agent $from $tcp($i); $ns attach-agent $server $sink($i); $ns connect $tcp($i) $sink($i)
    set source [new Application/FTP]; $source attach-agent $tcp($i)
    $ns at 0.0 "$source start"
  }
}
proc start {} { global n sink before; for {set i 0} {$i < $n} {incr i} { set before($i) [$sink($i) set bytes_] } }
proc finish {} {
  global n sink tcp before scene payload
  for {set i 0} {$i < $n} {incr i} {
    if {$scene == "udp"} { puts -nonewline "[expr [$sink($i) set bytes_] - $before($i)] " } else {
      puts -nonewline "[expr ([$tcp($i) set ack_] + 1) * $payload] " }
  }
  puts ""; exit 0
}
if {$scene == "udp"} { $ns at 1.0 start }
$ns at $seconds finish
$ns run

# A student's first five minutes: one network, a change, a picture, a number with its interval.
set -eu
lasthop list scenarios
lasthop run two_stations
lasthop run two_stations --set tcp.variant=vegas --replications 10
lasthop run two_stations --set 'duration=20 s' --report two_stations.html
lasthop run two_stations --set tcp.variant=newrino || echo "exit $?: the error says what was meant"

# A student's first five minutes: one network, what limited it, a change, a picture, a number with its interval.
set -eu
lasthop list scenarios
lasthop run two_stations | tee first.txt
head -1 first.txt | grep -q "limited by"
lasthop run two_stations --set tcp.variant=vegas --replications 10 --tables two_stations.md
lasthop run two_stations --set 'duration=20 s' --report two_stations.html
lasthop run two_stations --set tcp.variant=newrino || echo "exit $?: the error says what was meant"

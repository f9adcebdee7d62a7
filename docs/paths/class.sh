# A lecturer's folder for a class: all lessons with their questions and answers, which takes a minute.
set -eu
lasthop demo --all class --no-open
test -s class/index.html
test -s class/answers.html

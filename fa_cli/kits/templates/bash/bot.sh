#!/usr/bin/env bash
# A bot with a few simple rules, in bash alone. Change them, and see with `fa tournament run` whether it is better.
#
# For each decision the referee sends a line with an observation (all that this seat may know) and the legal actions.
# Each game below has a function that gives an action a value, in whole numbers; of the actions with the highest value
# one is played. Which words an action is made of, and what they mean: `fa rules GAME`.
#
# bash can't read JSON. This bot looks for what it needs in the line as it is written: names come once where they are
# looked for, and there are no blanks between them. Functions give back what they find in REPLY: $(...) is slow.

LC_ALL=C # texts are bytes, so that looking for something is quick
set -f   # a star is no pattern for names of files

# field TEXT NAME: all that follows the first "NAME": in the text; empty if it is not there.
field() {
  local before=${1%%"\"$2\":"*}
  REPLY=${1:${#before}+${#2}+3}
}

# number TEXT NAME [OTHERWISE]: the number that follows; what is said instead where there is none.
number() {
  field "$1" "$2"
  REPLY=${REPLY%%[!0-9-]*}
  REPLY=${REPLY:-${3:-0}}
}

# word TEXT NAME: the text that follows; empty for null.
word() {
  field "$1" "$2"
  if [[ $REPLY == '"'* ]]; then
    REPLY=${REPLY:1}
    REPLY=${REPLY%%'"'*}
  else
    REPLY=
  fi
}

# object TEXT NAME: the object that follows, as long as there is none in it.
object() {
  field "$1" "$2"
  REPLY=${REPLY%%'}'*}
}

# items TEXT NAME: the texts or numbers of the list that follows, in the array ITEMS.
items() {
  field "$1" "$2"
  REPLY=${REPLY#'['}
  REPLY=${REPLY%%']'*}
  split "$REPLY"
}

# split TEXT: what stands between commas, without quotes, in the array ITEMS.
split() {
  local IFS=,
  ITEMS=(${1//'"'/})
}

# about_seats: what the observation says of each seat, in the array SEATS.
about_seats() {
  local rest mark=$1
  field "$SEEN" seats
  rest=$REPLY SEATS=()
  while field "$rest" "$mark" && [[ $REPLY ]]; do
    rest=$REPLY
    SEATS+=("\"$mark\":$rest")
  done
}

# -- Fifth Avenue ------------------------------------------------------------------------------------------------------

# What is the same for all actions of a decision is looked for once.
look_fifth_avenue() {
  about_seats points
  number "${SEATS[SEAT]}" supply
  SUPPLY=$REPLY
  field "$SEEN" board
  PLOTS=$REPLY
  field "$SEEN" stacks
  STACKS=$REPLY
  declare -gA LEADS=()
  field "$SEEN" auction
  MISSING=0
  if [[ $REPLY == '{'* ]]; then
    local auction=$REPLY bids seat
    number "$auction" high
    MISSING=$REPLY
    field "$auction" bids
    bids=$REPLY
    for ((seat = 0; seat < SEAT; seat++)); do field "$bids" total && bids=$REPLY; done
    number "$bids" total
    MISSING=$((MISSING - REPLY))
  fi
}

# value_fifth_avenue WORD...: the words are those of the action, `score TS` is score and TS.
value_fifth_avenue() {
  local colour
  VALUE=0 # business, pass
  case $1 in
    place) # the first skyscrapers: where there is business next door
      field "$PLOTS" "${2%.*}" && object "$REPLY" "${2#*.}"
      number "$REPLY" value
      VALUE=$REPLY
      ;;
    score) # worth it if I get more than the others
      lead "$2"
      VALUE=$((2 * REPLY))
      ;;
    skyscrapers) VALUE=$((SUPPLY < 3 ? 3 : 0)) ;;
    commissioner) VALUE=1 ;; # brings a black card, which is a joker
    draw) # high cards win auctions
      [[ $2 == none ]] && return
      for colour in "${@:2}"; do
        object "$STACKS" "$colour"
        number "$REPLY" top
        VALUE=$((VALUE + REPLY))
      done
      ;;
    move) # to where a scoring would be good for me
      lead "$3"
      VALUE=$REPLY
      ;;
    bid) # low cards allow more skyscrapers; jokers are worth keeping
      if ((MISSING >= 12 || SUPPLY == 0)); then
        VALUE=-1 # too dear, or nothing to build with
      else
        VALUE=$((10 - $3))
        [[ $2 == black ]] && ((VALUE -= 3))
      fi
      ;;
    "done") VALUE=100 ;;
    build) VALUE=$2 ;;
    stop) VALUE=-1 ;;
  esac
}

# lead DISTRICT: what I would get if it were scored now, less what the best of the others would.
lead() {
  local district=$1 plots plot seat owner worth best=
  REPLY=${LEADS[$district]}
  [[ $REPLY ]] && return
  local -a points=("${SEATS[@]/*/0}")
  field "$PLOTS" "$district"
  plots=${REPLY%%'}}'*}
  while [[ $plots == *'"owner":'* ]]; do
    plot=${plots%%'}'*} # a plot, and the next one after it
    plots=${plots:${#plot}+1}
    number "$plot" owner -1
    owner=$REPLY # with two players seat 2 is Alea, who gets no points
    if ((owner >= 0 && owner < ${#points[@]})); then
      number "$plot" value
      worth=$REPLY
      number "$plot" skyscrapers
      ((points[owner] += worth * REPLY))
    fi
  done
  for seat in "${!points[@]}"; do
    if ((seat != SEAT)) && [[ ! $best || ${points[seat]} -gt $best ]]; then best=${points[seat]}; fi
  done
  REPLY=$((points[SEAT] - best))
  LEADS[$district]=$REPLY
}

# -- Manhattan ---------------------------------------------------------------------------------------------------------

look_manhattan() {
  about_seats points
  items "${SEATS[SEAT]}" sites
  SITES=("${ITEMS[@]}")
  items "${SEATS[SEAT]}" colours
  COLOURS=" ${ITEMS[*]} "
  # By city and site, as in Cairo.3: the owner and the height of the tower; nothing where there is none.
  declare -gA OWNERS=() HEIGHTS=()
  local city rest site
  for city in Sydney Manhattan Frankfurt Hongkong SaoPaulo Cairo; do
    field "$SEEN" "$city"
    rest=${REPLY:1} # after the bracket
    for site in 1 2 3 4 5 6 7 8 9; do
      if [[ $rest == null* ]]; then
        rest=${rest:5}
      else
        number "$rest" height
        HEIGHTS[$city.$site]=$REPLY
        word "$rest" owner
        OWNERS[$city.$site]=$REPLY
        field "$rest" blocks # the last field of a tower
        rest=${REPLY#*']}'}
        rest=${rest:1}
      fi
    done
  done
}

value_manhattan() {
  VALUE=0
  case $1 in
    select) # something of everything
      local height
      for height in 1 2 3 4; do [[ " $* " == *" $height "* ]] && ((VALUE++)); done
      ;;
    build)
      local place=$3.${SITES[$2 - 1]} # which site a card means depends on where one sits
      local owner=${OWNERS[$place]}
      if [[ ! $owner ]]; then
        VALUE=$((6 - $4))
      elif [[ $COLOURS != *" $owner "* ]]; then
        VALUE=$((8 + HEIGHTS[$place] - $4)) # he loses a point and I win one, with the lowest block that will do
      fi
      ;;
    discard) VALUE=$((-$3)) ;;
  esac
}

# -- New York ----------------------------------------------------------------------------------------------------------

look_new_york() {
  word "$SEEN" phase
  PHASE=$REPLY
  word "$SEEN" stone
  STONE=$REPLY
  [[ $STONE ]] || { word "$SEEN" colour && STONE=$REPLY; }
  # By 10 * avenue + street: the colour that stands there.
  local avenue street rest
  field "$SEEN" board
  rest=${REPLY%%']]'*}
  BOARD=()
  for avenue in 1 2 3 4 5 6 7; do
    rest=${rest#*'['}
    [[ $avenue == 1 ]] && rest=${rest#'['}
    split "${rest%%']'*}"
    for street in 1 2 3 4 5 6 7; do BOARD[10 * avenue + street]=${ITEMS[street - 1]}; done
  done
}

value_new_york() {
  VALUE=0 # renovation, ruin, redraw, pass
  [[ $PHASE == first-stones ]] && return # nobody knows yet whose stones these will be
  case $1 in
    use)
      field "$SEEN" colours && object "$REPLY" "$2"
      number "$REPLY" board
      VALUE=$REPLY
      ;;
    play) # a star marks a joker, which is worth keeping
      crossing "${2#'*'}" "${3#'*'}"
      [[ $2 == '*'* ]] && ((VALUE--))
      [[ $3 == '*'* ]] && ((VALUE--))
      ;;
    place) crossing "${2:1:1}" "${2:3:1}" ;; # a3s5 is where avenue 3 crosses street 5
    remove)
      touching "${2:1:1}" "${2:3:1}"
      VALUE=$((-TOUCHING))
      ;;
    developer)
      crossing "${4:1:1}" "${4:3:1}"
      ((VALUE += 2))
      ;;
    speculation | statics) VALUE=4 ;;
  esac
}

# crossing AVENUE STREET: what a stone of mine there is worth. The longest chain counts double, so it should touch more.
crossing() {
  local at=$((10 * $1 + $2))
  if [[ ${BOARD[at]} == "$STONE" ]]; then
    VALUE=-10 # it would go back to my stock
    return
  fi
  touching "$1" "$2"
  VALUE=$((3 * TOUCHING + 1))
  [[ ${BOARD[at]} == null ]] && ((VALUE += 2)) # what is free costs nothing
}

# touching AVENUE STREET: how many stones of mine are beside it, in TOUCHING.
touching() {
  local at=$((10 * $1 + $2)) beside
  TOUCHING=0
  for beside in $((at - 10)) $((at + 10)) $((at - 1)) $((at + 1)); do
    [[ ${BOARD[beside]} == "$STONE" ]] && ((TOUCHING++))
  done
}

# -- the choice --------------------------------------------------------------------------------------------------------

look_unknown() { :; }
value_unknown() { VALUE=0; }

# choose LINE: one of the legal actions, in REPLY.
choose() {
  local action best= ties=() legal
  items "$1" legal
  legal=("${ITEMS[@]}")
  field "$1" observation
  SEEN=$REPLY
  number "$SEEN" seat
  SEAT=$REPLY
  "look_$GAME"
  for action in "${legal[@]}"; do
    "value_$GAME" $action
    if [[ ! $best ]] || ((VALUE > best)); then
      best=$VALUE ties=("$action")
    elif ((VALUE == best)); then
      ties+=("$action")
    fi
  done
  # Chance from `bot_seed`, so that the same game played again is the same game.
  DICE=$(((DICE * 1103515245 + 12345) % 2147483648))
  REPLY=${ties[(DICE >> 16) % ${#ties[@]}]}
}

# -- the protocol: a line of JSON comes, a line of JSON goes -----------------------------------------------------------

# Only answers go to standard output. Print what you want to see yourself with echo ... >&2.
while IFS= read -r line; do
  word "$line" type
  case $REPLY in
    hello) # what is not wanted is not computed, and the bot is asked sooner
      echo '{"type":"ready","wants":["legal","observation"]}'
      ;;
    start) # a new game: nothing is left of the last one
      word "$line" game
      GAME=${REPLY//-/_}
      declare -F "look_$GAME" >/dev/null || GAME=unknown
      word "$line" bot_seed
      DICE=$((16#${REPLY: -7}))
      echo '{"type":"ready"}'
      ;;
    decide)
      choose "$line"
      action=$REPLY
      number "$line" id
      echo "{\"id\":$REPLY,\"action\":\"$action\"}"
      ;;
    quit) exit 0 ;;
  esac # `end` and whatever else may come is not answered
done

# Hinders its opponents: fills the plots where they could build, outbids them, stops full districts, takes over their
# towers, and places stones between their chains.

use strict;
use warnings;

$| = 1;    # otherwise the answers stay in a buffer

# -- JSON --------------------------------------------------------------------------------------------------------------

# Returns the value that begins where the last match in $_ ended.
sub value {
    /\G\s+/gc;
    if (/\G\{/gc) {
        my %object;
        until (/\G\s*\}/gc) {
            my $name = value();
            /\G\s*:/gc or die "no colon";
            $object{$name} = value();
            /\G\s*,/gc;
        }
        return \%object;
    }
    if (/\G\[/gc) {
        my @list;
        until (/\G\s*\]/gc) { push @list, value(); /\G\s*,/gc }
        return \@list;
    }
    return $1 if /\G"((?:[^"\\]|\\.)*)"/gc;
    return $1 eq "true" ? 1 : $1 eq "false" ? 0 : undef if /\G(true|false|null)/gc;
    /\G([-+.\w]+)/gc or die "not JSON";
    return $1;
}

my ($seen, $me);    # the observation, and my seat in it

sub most { my $most = shift; for (@_) { $most = $_ if $_ > $most } return $most }

# Returns my points less the best opponent's, from points by seat.
sub lead { my @points = @_; my $own = splice @points, $me, 1; return $own - most(@points) }

sub others { return grep { $_ != $me } 0 .. $#{ $seen->{seats} } }

# -- Fifth Avenue ------------------------------------------------------------------------------------------------------

my $rings;    # by district: its plots around the centre, from the `start` line

# Returns by seat the points if the district were scored now.
sub district_points {
    my @points = (0) x @{ $seen->{seats} };
    for my $plot (values %{ $seen->{board}{ $_[0] } }) {
        my $owner = $plot->{owner};    # with two players 2 is Alea, who has no points
        $points[$owner] += $plot->{value} * $plot->{skyscrapers} if defined $owner && $owner < @points;
    }
    return @points;
}

# Returns by seat the points if the game ended now.
sub final {
    my @points = map { $_->{points} + 3 * $_->{central_park} } @{ $seen->{seats} };
    for my $district (keys %{ $seen->{board} }) {
        my @more = district_points($district);
        $points[$_] += $more[$_] for 0 .. $#points;
    }
    return @points;
}

# Returns the colour of a seat's plot in a district.
sub home {
    my ($plots, $seat) = @_;
    for my $name (keys %$plots) {
        my $owner = $plots->{$name}{owner};
        return $name if defined $owner && $owner == $seat;
    }
    return;
}

sub is_empty { my $plot = shift; return !defined $plot->{owner} && !@{ $plot->{businesses} || [] } }

# Returns the value of the best plot where a seat could build.
sub prize {
    my ($plots, $seat) = @_;
    my $home = home($plots, $seat);
    return $plots->{$home}{value} if $home;
    return most(0, map { $plots->{$_}{value} } grep { $_ ne "dashed" && is_empty($plots->{$_}) } keys %$plots);
}

# Values a tile: next to skyscrapers it helps their owners; on an empty plot it stops others from building there.
sub business {
    my ($tile, $district, $name) = @_;
    my $plots = $seen->{board}{$district};
    my @ring  = @{ $rings->{$district} };
    my ($at)  = grep { $ring[$_] eq $name } 0 .. $#ring;
    my $worth = 0;
    for my $step (-1, 1) {
        my $plot = $plots->{ $ring[($at + $step) % @ring] };
        my %types = map { $_ => 1 } map { @{ $plots->{$_}{businesses} || [] } } $ring[($at + 2 * $step) % @ring], $name;
        next if !$plot->{skyscrapers} || $types{$tile};
        $worth += $plot->{skyscrapers} * (1 + keys %types) * ($plot->{owner} == $me ? 1 : -1);
    }
    return $worth if !is_empty($plots->{$name}) || $name eq "dashed";
    my $strangers = grep { !home($plots, $_) } others();
    return $worth + (home($plots, $me) ? 0.5 : 0.1) * $strangers * $plots->{$name}{value};
}

# Values a building stop: what it costs the others more than me.
sub stop {
    my ($district) = @_;
    my @points = district_points($district);
    if (keys %{ $seen->{board} } == 6) {    # the second one ends the game
        my @end = final();
        $end[$_] -= $points[$_] / 2 for others();
        return lead(@end) > 0 ? 100 : -100;
    }
    my $skyscrapers = 0;
    $skyscrapers += $_->{skyscrapers} || 0 for values %{ $seen->{board}{$district} };
    return $skyscrapers - lead(@points);
}

# Bids for the value of the plot and half of what the best opponent would win.
sub bid {
    my ($suit, $card) = @_;
    my $auction = $seen->{auction};
    my $missing = $auction->{high} - $auction->{bids}[$me]{total};
    my $cheap   = (7 - $card) / 10 + ($suit eq "black" ? 0 : 0.1);
    my $plots   = $seen->{board}{ $auction->{lot} };
    return $missing < 5 ? $cheap : -1 if !$plots;    # Central Park
    if ($auction->{full} && (!home($plots, $me) || stop($auction->{lot}) > 4)) {
        return $missing < 4 * stop($auction->{lot}) ? 5 + $cheap : -1;
    }
    return -1 if !$seen->{seats}[$me]{supply};
    my $plot = $plots->{ home($plots, $me) || $suit } || { value => prize($plots, $me) };
    my @rivals = map { prize($plots, $_) }
        grep { !$auction->{bids}[$_]{passed} && $seen->{seats}[$_]{supply} } others();
    my $worth = $plot->{value} + 0.5 * most(0, @rivals);
    return $missing < 5 * $worth ? $worth + $cheap : -1;
}

sub fifth_avenue {
    my ($kind, @what) = @_;
    if ($kind eq "place") { my ($district, $name) = split /\./, $what[0]; return $seen->{board}{$district}{$name}{value} }
    return 2 * lead(district_points($what[0])) + 1 if $kind eq "score";
    return $seen->{seats}[$me]{supply} < 3 ? 4 : 0 if $kind eq "skyscrapers";
    return 1 if $kind eq "commissioner";
    if ($kind eq "business") {
        return lead(final()) > 0 ? 100 : -100 if $seen->{placed} == 11;    # the twelfth ends the game
        return business($what[0], split /\./, $what[1]);
    }
    if ($kind eq "draw") {    # prefer high cards, which win auctions
        my $sum = 0;
        $sum += $seen->{stacks}{$_}{top} for grep { $_ ne "none" } @what;
        return $sum;
    }
    if ($kind eq "move") {    # avoid districts where others would like to score
        my @points = $seen->{board}{ $what[1] } ? district_points($what[1]) : (0) x @{ $seen->{seats} };
        return $points[$me] - 2 * most(map { $points[$_] } others());
    }
    return bid(@what) if $kind eq "bid";
    return $what[0] if $kind eq "build";
    return stop($seen->{auction}{lot}) if $kind eq "stop";
    return $kind eq "done" ? 100 : 0;
}

# -- Manhattan ---------------------------------------------------------------------------------------------------------

# Returns a city's points for me less the others', with a tower of this colour on that site (-1: none).
sub city_points {
    my ($city, $site, $colour) = @_;
    my @owners = map { $_ && $_->{owner} } @{ $seen->{cities}{$city} };
    $owners[$site] = $colour if $site >= 0;
    my %count;
    $count{$_}++ for grep { defined } @owners;
    my $most = most(0, values %count);
    my $alone = 1 == grep { $_ == $most } values %count;
    my $sum = 0;
    for (keys %count) {
        $sum += ($count{$_} + ($alone && $count{$_} == $most ? 2 : 0)) * ($seen->{stocks}{$_}{seat} == $me ? 1 : -1);
    }
    return $sum;
}

# Prefers taking over towers, most of all high ones, to building its own.
sub manhattan {
    my ($kind, @what) = @_;
    if ($kind eq "select") {    # high blocks early, while the others' towers are low
        my $sum = 0;
        $sum += $_ for @what;
        return -abs($sum / @what - 2.2);
    }
    return -$what[1] if $kind eq "discard";
    my ($card, $city, $height, $colour) = (@what, $seen->{seats}[$me]{colours}[0]);
    my $site = $seen->{seats}[$me]{sites}[$card - 1] - 1;
    my $tower = $seen->{cities}{$city}[$site];
    my $worth = city_points($city, $site, $colour) - city_points($city, -1) - $height / 3;
    $worth += 1 + $tower->{height} / 2 if $tower && $seen->{stocks}{ $tower->{owner} }{seat} != $me;
    return $worth;
}

# -- New York ----------------------------------------------------------------------------------------------------------

sub stone {
    my ($avenue, $street) = @_;
    return $avenue < 1 || $street < 1 || $avenue > 7 || $street > 7 ? undef : $seen->{board}[$avenue - 1][$street - 1];
}

# Returns the price of a stone of that colour: how many there are in its avenue or street, whichever is fewer.
sub cost {
    my ($avenue, $street, $colour) = @_;
    my $along = grep { (stone($avenue, $_) // "") eq $colour } 1 .. 7;
    my $across = grep { (stone($_, $street) // "") eq $colour } 1 .. 7;
    return $along < $across ? $along : $across;
}

# Values a cell: next to own stones, between others' stones, or in the middle of a chain that buying it breaks.
sub cell {
    my ($avenue, $street, $free) = @_;
    my $colour = $seen->{stone} // $seen->{colour};
    my $occupant = stone($avenue, $street);
    my %near;
    $near{$_}++ for grep { defined } stone($avenue - 1, $street), stone($avenue + 1, $street),
        stone($avenue, $street - 1), stone($avenue, $street + 1);
    my $own = $near{$colour} // 0;
    if (!defined $occupant) {
        delete $near{$colour};
        return 1 + 2 * $own + 0.7 * most(0, values %near);
    }
    return -5 if ($seen->{colours}{$occupant}{owner} // -1) == $me;
    return 1 + 2 * $own + 1.5 * ($near{$occupant} // 0) - ($free ? 0 : cost($avenue, $street, $occupant));
}

sub new_york {
    my ($kind, @what) = @_;
    return $seen->{colours}{ $what[0] }{board} if $kind eq "use";
    my $jokers = grep { /\*/ } @what;
    s/\*// for @what;
    return cell(@what, 0) - $jokers if $kind eq "play";
    return cell($what[0] =~ /a(\d)s(\d)/, 1) if $kind eq "place";
    return -cell($what[0] =~ /a(\d)s(\d)/, 1) if $kind eq "remove";
    return 1 + cell($what[2] =~ /a(\d)s(\d)/, 1) if $kind eq "developer";
    return $kind eq "redraw" || $kind eq "pass" ? 0 : 3;
}

# -- the protocol ------------------------------------------------------------------------------------------------------

my %GAMES = ("fifth-avenue" => \&fifth_avenue, "manhattan" => \&manhattan, "new-york" => \&new_york);
my $rate = sub { return 0 };

while (<STDIN>) {
    my $message = value();
    my $type = $message->{type};
    last if $type eq "quit";
    if ($type eq "hello") {
        print qq({"type":"ready","name":"stopper","wants":["legal","observation"]}\n);
    } elsif ($type eq "start") {
        $rate = $GAMES{ $message->{game} } // $rate;
        $rings = $message->{board}{rings};
        print qq({"type":"ready"}\n);
    } elsif ($type eq "decide") {
        ($seen, $me) = ($message->{observation}, $message->{observation}{seat});
        my ($best, $worth);
        for my $action (@{ $message->{legal} }) {
            my $rated = $rate->(split / /, $action);
            ($best, $worth) = ($action, $rated) if !defined $worth || $rated > $worth;
        }
        print qq({"id":$message->{id},"action":"$best"}\n);
    }
}

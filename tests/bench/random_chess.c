/* A random legal move of chess, over UCI: what plays in fastchess beside the random bots. It never castles. The argument
 * seeds it. Squares are 16 * rank + file; pieces are 1 to 6 (pawn to king), those of Black negative. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAWN = 1, KNIGHT, BISHOP, ROOK, QUEEN, KING };
struct move { int from, to, promoted; };
struct board { signed char at[128]; int side, passant; };

static const int STEPS[] = {-17, -15, 15, 17, -16, -1, 1, 16, -33, -31, -18, -14, 14, 18, 31, 33};
static const char LETTERS[] = "  nbrq";
static uint64_t state;

static uint64_t draw(uint64_t limit) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % limit;
}

static int on(int square) { return !(square & 0x88); }

/* The steps of a piece: diagonals, straight lines, both, or a knight's. */
static void steps_of(int piece, int *first, int *end) {
    *first = piece == KNIGHT ? 8 : piece == ROOK ? 4 : 0;
    *end = piece == KNIGHT ? 16 : piece == BISHOP ? 4 : 8;
}

static void start(struct board *board) {
    static const signed char BACK[] = {ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK};
    memset(board, 0, sizeof *board);
    board->side = 1;
    board->passant = -1;
    for (int file = 0; file < 8; file++) {
        board->at[file] = BACK[file];
        board->at[112 + file] = -BACK[file];
        board->at[16 + file] = PAWN;
        board->at[96 + file] = -PAWN;
    }
}

static void apply(struct board *board, struct move move) {
    int piece = board->at[move.from], forward = 16 * board->side;
    if (abs(piece) == PAWN && move.to == board->passant) board->at[move.to - forward] = 0;
    board->passant = abs(piece) == PAWN && move.to - move.from == 2 * forward ? move.from + forward : -1;
    board->at[move.to] = move.promoted ? move.promoted * board->side : piece;
    board->at[move.from] = 0;
    board->side = -board->side;
}

/* Whether a piece of this side attacks the square. */
static int is_attacked(const struct board *board, int square, int side) {
    for (int step = 0; step < 16; step++)
        for (int at = square + STEPS[step], far = 0; on(at); at += STEPS[step], far = 1) {
            int piece = board->at[at] * side, first, end;
            if (piece > PAWN) {
                steps_of(piece, &first, &end);
                if (first <= step && step < end && !(far && piece == KING)) return 1;
            }
            if (piece == PAWN && !far && step < 4 && STEPS[step] * side < 0) return 1;
            if (board->at[at] || step >= 8) break;
        }
    return 0;
}

static int is_legal(const struct board *board, struct move move) {
    struct board after = *board;
    int king = 0;
    apply(&after, move);
    while (!on(king) || after.at[king] != KING * board->side) king++;
    return !is_attacked(&after, king, after.side);
}

static int add(const struct board *board, struct move *moves, int count, int from, int to) {
    struct move move = {from, to, 0};
    if (!is_legal(board, move)) return count;
    if (abs(board->at[from]) != PAWN || (to >> 4 && to >> 4 != 7)) {
        moves[count++] = move;
        return count;
    }
    for (move.promoted = KNIGHT; move.promoted <= QUEEN; move.promoted++) moves[count++] = move;
    return count;
}

static int pawn_moves(const struct board *board, struct move *moves, int count, int from) {
    int to = from + 16 * board->side, home = board->side > 0 ? 1 : 6;
    for (int side = -1; side <= 1; side += 2)
        if (on(to + side) && (board->at[to + side] * board->side < 0 || to + side == board->passant))
            count = add(board, moves, count, from, to + side);
    if (board->at[to]) return count;
    count = add(board, moves, count, from, to);
    to += 16 * board->side;
    return from >> 4 == home && !board->at[to] ? add(board, moves, count, from, to) : count;
}

static int all_moves(const struct board *board, struct move *moves) {
    int count = 0;
    for (int from = 0; from < 128; from++) {
        int piece = on(from) ? board->at[from] * board->side : 0, first, end;
        if (piece == PAWN) count = pawn_moves(board, moves, count, from);
        if (piece <= PAWN) continue;
        steps_of(piece, &first, &end);
        for (int step = first; step < end; step++)
            for (int to = from + STEPS[step]; on(to) && board->at[to] * board->side <= 0; to += STEPS[step]) {
                count = add(board, moves, count, from, to);
                if (board->at[to] || piece == KNIGHT || piece == KING) break;
            }
    }
    return count;
}

static int square_of(const char *text) { return (text[1] - '1') * 16 + text[0] - 'a'; }

static void set_up(struct board *board, char *moves) {
    start(board);
    moves = strstr(moves, " moves ");
    for (char *text = moves ? strtok(moves + 7, " \n") : NULL; text; text = strtok(NULL, " \n")) {
        const char *promoted = text[4] ? strchr(LETTERS, text[4]) : NULL;
        apply(board, (struct move){square_of(text), square_of(text + 2), promoted ? promoted - LETTERS : 0});
    }
}

/* A game that is over is never asked about. */
static void go(const struct board *board) {
    struct move moves[256];
    struct move move = moves[draw(all_moves(board, moves))];
    char text[6] = {'a' + (move.from & 7), '1' + (move.from >> 4), 'a' + (move.to & 7), '1' + (move.to >> 4)};
    if (move.promoted) text[4] = LETTERS[move.promoted];
    printf("bestmove %s\n", text);
}

int main(int count, char **arguments) {
    static char line[1 << 20];
    struct board board;
    state = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
    while (fgets(line, sizeof line, stdin)) {
        if (!strcmp(line, "uci\n")) printf("id name random\nuciok\n");
        else if (!strncmp(line, "isready", 7)) printf("readyok\n");
        else if (!strncmp(line, "position", 8)) set_up(&board, line);
        else if (!strncmp(line, "go", 2)) go(&board);
        else if (!strncmp(line, "quit", 4)) break;
        fflush(stdout);
    }
    return 0;
}

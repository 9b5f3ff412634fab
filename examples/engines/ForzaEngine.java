// Engine for Forza Quattro in Java: alpha-beta with iterative deepening until time or nodes run out.
// Run it with `boardwire bot forza ... --engine 'java ForzaEngine.java'`; docs/engines.md describes the messages.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class ForzaEngine {
    static final int COLUMNS = 7, ROWS = 6, WON = 100_000;
    static final int[] ORDER = {3, 2, 4, 1, 5, 0, 6}; // middle columns first, for more alpha-beta cutoffs

    static int seat;
    static final int[] heights = new int[COLUMNS];
    static final int[][] board = new int[COLUMNS][ROWS]; // 0: free, 1: own disc, -1: opponent's
    static long deadline, nodes, budget;

    static class OutOfBudget extends RuntimeException {}

    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = input.readLine()) != null; ) {
            switch (text(line, "type")) {
                case "hello" -> {
                    if (!text(line, "game").equals("forza")) {
                        say("{\"type\":\"refuse\",\"text\":\"I play Forza Quattro only\"}");
                    } else {
                        seat = (int) number(line, "seat", 0);
                        say("{\"type\":\"ready\",\"name\":\"forza-java\",\"version\":\"1.0\"}");
                    }
                }
                case "choose" -> choose(line);
                default -> {} // `over`, and messages of later versions
            }
        }
    }

    static void choose(String line) {
        double seconds = Math.min(number(line, "seconds", 2), number(line, "remaining", 1e9) / 10);
        deadline = System.nanoTime() + (long) (seconds * 0.8e9); // the rest is for the transmission of request and answer
        budget = (long) number(line, "nodes", 1e12);
        nodes = 0;
        read(line);
        int best = -1, value = 0;
        for (int column : ORDER) {
            if (best < 0 && heights[column] < ROWS) best = column;
        }
        try {
            for (int depth = 1; depth <= COLUMNS * ROWS && Math.abs(value) < WON / 2; depth++) {
                int found = -1, most = -2 * WON;
                for (int column : ORDER) {
                    if (heights[column] == ROWS) continue;
                    int worth = valueOfDrop(column, 1, depth - 1, -2 * WON, -most);
                    if (worth > most) {
                        most = worth;
                        found = column;
                    }
                }
                best = found;
                value = most;
                say(String.format(java.util.Locale.ROOT, "{\"type\":\"info\",\"value\":%.3f,\"depth\":%d,\"nodes\":%d,\"line\":[\"%d\"]}",
                        Math.max(-1, Math.min(1, value / 1000.0)), depth, nodes, best + 1));
            }
        } catch (OutOfBudget end) {
            // play the best column of the last complete depth
        }
        say("{\"type\":\"choice\",\"id\":" + (long) number(line, "id", 0) + ",\"action\":" + best + "}");
    }

    /** Return the value of dropping a disc into a column, from the dropping side's view. */
    static int valueOfDrop(int column, int side, int depth, int low, int high) {
        if (++nodes > budget || (nodes & 255) == 0 && System.nanoTime() > deadline) throw new OutOfBudget();
        int row = heights[column]++;
        board[column][row] = side;
        try {
            if (wins(column, row, side)) return WON + depth;
            if (depth == 0) return side * estimate();
            int most = -2 * WON;
            boolean full = true;
            for (int reply : ORDER) {
                if (heights[reply] == ROWS) continue;
                full = false;
                most = Math.max(most, valueOfDrop(reply, -side, depth - 1, -high, -Math.max(low, most)));
                if (most >= high) break;
            }
            return full ? 0 : -most;
        } finally {
            board[column][row] = 0;
            heights[column]--;
        }
    }

    static boolean wins(int column, int row, int side) {
        for (int[] step : new int[][] {{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
            int length = 1;
            for (int way = -1; way <= 1; way += 2) {
                int x = column + way * step[0], y = row + way * step[1];
                while (x >= 0 && x < COLUMNS && y >= 0 && y < ROWS && board[x][y] == side) {
                    length++;
                    x += way * step[0];
                    y += way * step[1];
                }
            }
            if (length >= 4) return true;
        }
        return false;
    }

    /** Estimate a position by the discs near the middle. */
    static int estimate() {
        int sum = 0;
        for (int column = 0; column < COLUMNS; column++) {
            for (int row = 0; row < heights[column]; row++) sum += board[column][row] * (3 - Math.abs(column - 3));
        }
        return sum * 10;
    }

    /** Read the board of a view: 42 cells from the top left, each null or the seat of its disc. */
    static void read(String line) {
        Matcher found = Pattern.compile("\"cells\":\\[([^\\]]*)\\]").matcher(line);
        if (!found.find()) throw new IllegalArgumentException("no cells in " + line);
        String[] cells = found.group(1).split(",");
        for (int column = 0; column < COLUMNS; column++) {
            heights[column] = 0;
            for (int row = 0; row < ROWS; row++) {
                String owner = cells[(ROWS - 1 - row) * COLUMNS + column];
                board[column][row] = owner.equals("null") ? 0 : Integer.parseInt(owner) == seat ? 1 : -1;
                if (board[column][row] != 0) heights[column] = row + 1;
            }
        }
    }

    static String text(String line, String field) {
        Matcher found = Pattern.compile("\"" + field + "\":\"([^\"]*)\"").matcher(line);
        return found.find() ? found.group(1) : "";
    }

    static double number(String line, String field, double otherwise) {
        Matcher found = Pattern.compile("\"" + field + "\":(-?[0-9][0-9.eE+-]*)").matcher(line);
        return found.find() ? Double.parseDouble(found.group(1)) : otherwise;
    }

    static void say(String message) {
        System.out.println(message);
        System.out.flush();
    }
}

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Our client of tris-lines: java -cp build Client HOST PORT. It plays the first free cell; improve choose. */
public final class Client {
    private final int[] board = new int[9];
    private final OutputStream out;
    private int mark = 2;
    private int cell;

    private Client(OutputStream out) {
        this.out = out;
    }

    /** Returns the cell to play on a board of 0 (free), 1 and 2. */
    private static int choose(int[] board) {
        for (int cell = 0; cell < board.length; cell++) {
            if (board[cell] == 0) {
                return cell;
            }
        }
        throw new IllegalStateException("the board is full");
    }

    private void move() throws IOException {
        cell = choose(board);
        out.write((cell + "\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Takes a line of the server and returns whether the match goes on. */
    private boolean hear(String line) throws IOException {
        switch (line) {
            case "WAIT":
                mark = 1;
                return true;
            case "READY":
                if (mark == 1) {
                    move();
                }
                return true;
            case "KO":
                board[cell] = 3; // not there
                move();
                return true;
            case "OK":
                board[cell] = mark;
                return true;
            case "W":
            case "P":
            case "DISCONNECTED":
                System.out.println(line);
                return false;
            default:
                return hearBoard(line);
        }
    }

    private boolean hearBoard(String line) throws IOException {
        String[] cells = line.split(",", -1);
        if (cells.length != 10) {
            return true; // a line that we do not know
        }
        if (!cells[9].isEmpty()) {
            System.out.println(cells[9]);
            return false;
        }
        for (int at = 0; at < 9; at++) {
            board[at] = Integer.parseInt(cells[at]);
        }
        move();
        return true;
    }

    public static void main(String[] arguments) {
        try (Socket socket = new Socket(arguments[0], Integer.parseInt(arguments[1]))) {
            Client client = new Client(socket.getOutputStream());
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String line = in.readLine();
            while (line != null && client.hear(line.trim())) {
                line = in.readLine();
            }
        } catch (IOException | RuntimeException error) {
            System.out.println("the match is broken off: " + error.getMessage());
        }
    }
}

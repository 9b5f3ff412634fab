import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Our server of tris-lines: java -cp build Server PORT. It pairs clients and begins matches; moves are still to do. */
public final class Server {
    private Socket waiting;

    private synchronized void enter(Socket socket) throws IOException {
        if (waiting == null) {
            waiting = socket;
            say(socket, "WAIT");
        } else {
            say(waiting, "READY");
            say(socket, "READY");
            waiting = null;
        }
    }

    private synchronized void leave(Socket socket) {
        if (waiting == socket) {
            waiting = null;
        }
    }

    private static void say(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private void serve(Socket socket) {
        try (socket) {
            enter(socket);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                hear(socket, line.trim());
            }
        } catch (IOException error) {
            System.out.println("a client is gone: " + error.getMessage());
        } finally {
            leave(socket);
        }
    }

    /** Takes a line of a client. */
    private void hear(Socket socket, String line) {
        // To do: the board, whose turn it is, OK, KO, W, P, L, and DISCONNECTED to the other when a client leaves.
    }

    public static void main(String[] arguments) throws IOException {
        Server server = new Server();
        int port = Integer.parseInt(arguments[0]);
        try (ServerSocket listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            while (true) {
                Socket socket = listener.accept();
                new Thread(() -> server.serve(socket)).start();
            }
        }
    }
}

import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpClient.Version;
import java.nio.file.*;
import java.security.*;
import java.security.cert.*;
import java.util.*;
import javax.net.ssl.*;

/**
 * Java's HttpClient. Prints a JSON object of its outcomes.
 *
 * <p>java Clients.java URL AUTHORITY. Over a plain connection it upgrades to HTTP/2 (RFC 7540 §3.2).
 */
public class Clients {
    private final String url;
    private final HttpClient client;

    private Clients(String url, Version version, SSLContext context) {
        this.url = url;
        client = HttpClient.newBuilder().version(version).sslContext(context).build();
    }

    private static String digest(InputStream source) throws Exception {
        var total = MessageDigest.getInstance("SHA-256");
        var piece = new byte[1024];
        try (source) {
            for (int count; (count = source.read(piece)) >= 0; ) total.update(piece, 0, count);
        }
        return HexFormat.of().formatHex(total.digest());
    }

    private static InputStream body() {
        return new ByteArrayInputStream(("{\"title\":\"Mir\"" + " ".repeat(600_000) + "}").getBytes());
    }

    private HttpResponse<InputStream> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(url + path));
    }

    private String outcome() {
        try {
            var got = send(to("/large"));
            var whole = digest(got.body());
            var part = send(to("/large").header("Range", "bytes=1000-1999"));
            var posted = send(to("/photos").header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofInputStream(Clients::body)));
            posted.body().close();
            var stream = send(to("/photos/42/likes"));
            var line = new BufferedReader(new InputStreamReader(stream.body())).readLine();
            var version = got.version() == Version.HTTP_2 ? "2" : "1.1";
            return String.format(
                "{\"whole\":\"%s\",\"part\":[%d,\"%s\"],\"posted\":%d,\"streamed\":%b,\"version\":\"%s\"}", whole,
                part.statusCode(), digest(part.body()), posted.statusCode(), line.contains("likes"), version);
        } catch (Exception error) {
            return "\"" + error.toString().replace("\"", "'") + "\"";
        }
    }

    public static void main(String[] arguments) throws Exception {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (var file = Files.newInputStream(Path.of(arguments[1]))) {
            store.setCertificateEntry("authority", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        var old = new Clients(arguments[0], Version.HTTP_1_1, context).outcome();
        var current = new Clients(arguments[0], Version.HTTP_2, context).outcome();
        System.out.println("{\"HttpClient\":" + old + ",\"HttpClient, HTTP/2\":" + current + "}");
        System.exit(0);
    }
}

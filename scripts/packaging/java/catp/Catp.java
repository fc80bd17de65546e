package catp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Uma instância de {@code catp dev} só de quem a pede: começa em um instante, em uma porta livre, e não sobrevive a quem a pediu.
 */
public final class Catp implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("pronto em (\\S+)");
  private static final Pattern NOW = Pattern.compile("\"now\":\"([^\"]+)\"");
  private static final int LAST_LINES = 20;
  private static final int STOP_SECONDS = 10;
  /** A instância está nesta máquina: nenhum proxy fica no caminho. */
  private static final HttpClient HTTP = HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();

  private final String url;
  private final Process server;
  private final Path folder;
  private final boolean isOurs;
  private final Clock clock = new Clock();
  private Caller admin;

  private Catp(String url, Process server, Path folder, boolean isOurs) {
    this.url = url;
    this.server = server;
    this.folder = folder;
    this.isOurs = isOurs;
  }

  /** Como a instância começa. */
  public static final class Options {
    private final List<String> words = new ArrayList<>();
    private Path data;
    private String chaos = System.getenv().getOrDefault("CAOS", "");

    /** Sem o catálogo e a tabela de atributos inventados. */
    public Options empty() {
      return args("--empty");
    }

    /** As regras que valem: {@code especificacao} (padrão) ou {@code portal}. */
    public Options profile(String profile) {
      return args("--perfil", profile);
    }

    /** Instante ISO 8601 em que o relógio de teste começa, parado; sem ele, o da máquina. */
    public Options clock(String moment) {
      return args("--clock", moment);
    }

    /** Pasta de dados, que fica; sem ela, uma temporária, apagada no fim. */
    public Options data(Path folder) {
      data = folder;
      return this;
    }

    /** Começa do estado guardado com este nome na pasta. */
    public Options snapshot(String name) {
      return args("--snapshot", name);
    }

    /**
     * Falhas sorteadas por uma semente, de um conjunto ({@code catp dev --chaos list}); sem isto, as da variável {@code CAOS}
     * ({@code 1:tudo}).
     */
    public Options chaos(String seed, String set) {
      chaos = seed + ":" + set;
      return this;
    }

    public Options chaos(int seed, String set) {
      return chaos(String.valueOf(seed), set);
    }

    /** Do conjunto {@code tudo}. */
    public Options chaos(String seed) {
      return chaos(seed, "tudo");
    }

    public Options chaos(int seed) {
      return chaos(String.valueOf(seed));
    }

    /** Nenhuma falha sorteada, diga {@code CAOS} o que disser. */
    public Options withoutChaos() {
      chaos = "";
      return this;
    }

    /** Semente e conjunto; vazio: nenhuma. */
    String chaos() {
      return chaos;
    }

    /** Mais opções de {@code catp dev}. */
    public Options args(String... more) {
      words.addAll(Arrays.asList(more));
      return this;
    }
  }

  public static Options options() {
    return new Options();
  }

  public static Catp start() {
    return start(options());
  }

  /** Volta quando a instância atende. */
  public static Catp start(Options options) {
    return start(options, options.chaos);
  }

  static Catp start(Options options, String chaos) {
    try {
      Path folder = options.data == null ? Files.createTempDirectory("catp-") : options.data;
      List<String> words = new ArrayList<>(List.of(executable(), "dev", "--port", "0", "--data", folder.toString()));
      words.add("--exit-with-parent");
      if (options.data == null) words.add("--temporary");
      words.addAll(options.words);
      if (!chaos.isEmpty()) words.addAll(List.of("--chaos", chaos));
      Process server = new ProcessBuilder(words).start();
      Deque<String> complaints = new ArrayDeque<>();
      Thread reading = new Thread(() -> keepLast(server.errorReader(StandardCharsets.UTF_8), complaints));
      reading.setDaemon(true);
      reading.start();
      BufferedReader said = server.inputReader(StandardCharsets.UTF_8);
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        Matcher ready = READY.matcher(line);
        if (ready.find()) return new Catp(ready.group(1), server, folder, options.data == null);
      }
      int code = server.waitFor();
      reading.join();
      if (options.data == null) delete(folder);
      throw new IllegalStateException("catp: a instância terminou com " + code + "\n" + String.join("\n", complaints));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
  }

  /** O caminho do executável: o de {@code CATP}, ou o deste jar. */
  public static String executable() throws IOException {
    String named = System.getenv("CATP");
    return named != null && !named.isEmpty() ? named : Carried.executable().toString();
  }

  /** {@code http://127.0.0.1:PORTA} */
  public String url() {
    return url;
  }

  /** Entra com uma chave de acesso de segredo igual ao Client-Id, como as dos usuários fixos, no perfil IMPEXP. */
  public Caller signIn(String clientId) {
    return signIn(clientId, clientId, "IMPEXP");
  }

  public Caller signIn(String clientId, String clientSecret, String roleType) {
    Answer answer =
        ask(url + "/portal/api/autenticar/chave-acesso", "POST", "",
            "Client-Id", clientId, "Client-Secret", clientSecret, "Role-Type", roleType);
    if (answer.status != 200) throw new IllegalStateException("catp: " + clientId + " não entrou: " + answer.body);
    String token = answer.headers.firstValue("Set-Token").orElseThrow();
    // Cada resposta traz um novo.
    AtomicReference<String> csrf = new AtomicReference<>(answer.headers.firstValue("X-CSRF-Token").orElseThrow());
    return (method, path, body) -> {
      Answer reply =
          ask(url + path, method, body,
              "Authorization", token, "X-CSRF-Token", csrf.get(), "Content-Type", "application/json");
      reply.headers.firstValue("X-CSRF-Token").ifPresent(csrf::set);
      return reply;
    };
  }

  /** Uma operação de {@code /appliance/api}, como administrador; lança o que for recusado. */
  public Answer admin(String method, String path, String body) {
    for (boolean isLast : new boolean[] {false, true}) {
      if (admin == null) admin = signIn("admin");
      Answer answer = admin.ask(method, "/appliance/api" + path, body);
      if (answer.status < 300) return answer;
      if (answer.status != 401 || isLast)
        throw new IllegalStateException("catp: " + method + " " + path + ": " + answer.status + " " + answer.body);
      admin = null;
    }
    throw new AssertionError();
  }

  public Clock clock() {
    return clock;
  }

  /** O relógio de teste, que só anda quando mandado; instantes ISO 8601. */
  public final class Clock {
    private Clock() {}

    public String now() {
      return nowIn(admin("GET", "/clock", ""));
    }

    /** Uma duração ISO 8601, como {@code P30D}; o que vence no caminho é feito antes de voltar. */
    public String advance(String duration) {
      return nowIn(admin("POST", "/clock", "{\"advance\":\"" + duration + "\"}"));
    }

    public String set(String moment) {
      return nowIn(admin("POST", "/clock", "{\"set\":\"" + moment + "\"}"));
    }
  }

  /** Guarda o estado inteiro. */
  public void snapshot(String name) {
    admin("POST", "/snapshots/" + name, "");
  }

  /** Volta a ele; quem entrou continua conectado. */
  public void restore(String name) {
    admin("POST", "/snapshots/" + name + "/restore", "");
  }

  /** Para um {@code try} que a termina no fim. */
  @Override
  public void close() {
    stop();
  }

  /** Termina a instância, e espera que termine. */
  public void stop() {
    server.destroy();
    try {
      if (!server.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) server.destroyForcibly().waitFor();
      if (isOurs) delete(folder);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** Faz requisições como o usuário que entrou. */
  @FunctionalInterface
  public interface Caller {
    Answer ask(String method, String path, String body);

    default Answer ask(String method, String path) {
      return ask(method, path, "");
    }
  }

  /** O que voltou: o status, os cabeçalhos e o texto. */
  public static final class Answer {
    private final int status;
    private final HttpHeaders headers;
    private final String body;

    private Answer(HttpResponse<String> response) {
      status = response.statusCode();
      headers = response.headers();
      body = response.body();
    }

    public int status() {
      return status;
    }

    public HttpHeaders headers() {
      return headers;
    }

    public String body() {
      return body;
    }
  }

  private static Answer ask(String address, String method, String body, String... headers) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .headers(headers)
            .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    try {
      return new Answer(HTTP.send(request, BodyHandlers.ofString()));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
  }

  private static String nowIn(Answer answer) {
    Matcher now = NOW.matcher(answer.body);
    if (!now.find()) throw new IllegalStateException("catp: sem now: " + answer.body);
    return now.group(1);
  }

  private static void keepLast(BufferedReader lines, Deque<String> kept) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (kept.size() == LAST_LINES) kept.removeFirst();
        kept.addLast(line);
      }
    } catch (IOException error) {
      kept.addLast(error.toString());
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) return;
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) Files.deleteIfExists(one);
    }
  }
}

package catp;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Uma instância para os testes de uma classe (JUnit 5); cada teste começa do mesmo estado, e sem as falhas que outro pediu:
 * {@code @RegisterExtension static final CatpExtension catp = new CatpExtension(Catp.options().empty());}
 */
public final class CatpExtension implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private static final String PREPARED = "preparado";

  private final Catp.Options options;
  private Consumer<Catp> prepare = instance -> {};
  private Catp instance;
  /** De que classe é a instância; as que estão nela ({@code @Nested}) a encontram, e a deixam. */
  private String owner;
  /** As regras de falha que o preparo deixou, ou {@code --chaos}, como se pedem. */
  private List<String> rules;

  public CatpExtension() {
    this(Catp.options());
  }

  public CatpExtension(Catp.Options options) {
    this.options = options;
  }

  /** O que fazer uma vez, antes do primeiro teste: está lá no começo de cada um. */
  public CatpExtension preparing(Consumer<Catp> prepare) {
    this.prepare = prepare;
    return this;
  }

  public Catp instance() {
    if (instance == null) throw new IllegalStateException("catp: a instância só existe dentro de um teste.");
    return instance;
  }

  public Catp.Caller signIn(String clientId) {
    return instance().signIn(clientId);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (owner != null) return;
    owner = context.getUniqueId();
    instance = Catp.start(options, "");
    prepare.accept(instance);
    instance.snapshot(PREPARED);
    rules = askedFor(instance.admin("GET", "/faults", "").body());
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    instance().admin("DELETE", "/faults", "");
    instance.restore(PREPARED);
    for (String rule : rules) instance.admin("POST", "/faults", rule);
    if (!options.chaos().isEmpty()) instance.admin("POST", "/faults", drawnFor(context.getDisplayName()));
  }

  /** Dentro de um texto as aspas são outras: {@code \"}. De um conjunto decorrem as suas falhas, que não se pedem ao lado dele. */
  private static List<String> askedFor(String listed) {
    return Stream.of(listed.substring(1, listed.length() - 1).split("(?<=\\}),(?=\\{\"id\":)"))
        .filter(rule -> !rule.isEmpty())
        .map(rule -> rule.replaceAll("\"id\":\\d+,|,\"matched\":\\d+,\"acted\":\\d+", ""))
        .map(rule -> rule.replaceAll("(\"set\":\"[^\"]+\"),\"kinds\":\\[[^\\]]*\\]", "$1"))
        .toList();
  }

  /** Cada teste tem o seu sorteio, que não depende de quais outros rodam; o que o prepara não é sorteado. */
  private String drawnFor(String name) {
    String[] parts = options.chaos().split(":", 2);
    String set = parts.length < 2 ? "tudo" : parts[1];
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest((parts[0] + " " + name).getBytes(StandardCharsets.UTF_8));
      String seed = HexFormat.of().formatHex(digest, 0, 8);
      return "{\"chaos\":{\"seed\":\"" + seed + "\",\"set\":\"" + set + "\"}}";
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException(error);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (!context.getUniqueId().equals(owner)) return;
    if (instance != null) instance.stop();
    instance = null;
    owner = null;
  }
}

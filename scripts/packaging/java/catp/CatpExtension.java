package catp;

import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Uma instância para os testes de uma classe (JUnit 5); cada teste começa do mesmo estado:
 * {@code @RegisterExtension static final CatpExtension catp = new CatpExtension(Catp.options().empty());}
 */
public final class CatpExtension implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private static final String PREPARED = "preparado";

  private final Catp.Options options;
  private Consumer<Catp> prepare = instance -> {};
  private Catp instance;

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
    instance = Catp.start(options);
    prepare.accept(instance);
    instance.snapshot(PREPARED);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    instance().restore(PREPARED);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (instance != null) instance.close();
    instance = null;
  }
}

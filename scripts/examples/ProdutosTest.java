import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import catp.Catp;
import catp.CatpExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ProdutosTest {
  @RegisterExtension static final CatpExtension catp = new CatpExtension(Catp.options().empty());

  static final String DA_EMPRESA = "/catp/api/ext/produto/12345678";
  static final String PRODUTO =
      "{\"denominacao\": \"Parafuso sextavado\", \"modalidade\": \"IMPORTACAO\", \"ncm\": \"73181500\"}";

  @Test
  void incluiUmProduto() {
    Catp.Answer incluido = catp.signIn("demo").ask("POST", DA_EMPRESA, PRODUTO);
    assertEquals(200, incluido.status());
    assertTrue(incluido.body().contains("\"codigo\":1,"));
  }

  @Test
  void naoLembraOQueOutroTesteIncluiu() {
    assertTrue(catp.signIn("demo").ask("POST", DA_EMPRESA, PRODUTO).body().contains("\"codigo\":1,"));
  }

  @Test
  void recusaUmaNcmMalformadaEDizOnde() {
    Catp.Answer recusado = catp.signIn("demo").ask("POST", DA_EMPRESA, PRODUTO.replace("73181500", "7318"));
    assertEquals(400, recusado.status());
    assertTrue(recusado.body().contains("\"path\":\"/ncm\""));
  }
}

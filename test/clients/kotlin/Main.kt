// Calls operations through the generated client. Prints a JSON line of each answer as its class has it.
import com.fasterxml.jackson.databind.DeserializationFeature
import com.fasterxml.jackson.databind.MapperFeature
import java.io.File
import java.net.URI
import kotlin.system.exitProcess
import org.openapitools.client.apis.*
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.*

private val json = Serializer.jacksonObjectMapper

/** A list, a class or bytes. */
private fun <T> show(value: T): T {
  println(json.writeValueAsString(if (value is File) mapOf("bytes" to value.length()) else value))
  return value
}

fun main() {
  json.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
  json.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
  @Suppress("DEPRECATION") json.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
  ApiClient.apiKey["Authorization"] = System.getenv("TOKEN")
  ApiClient.apiKey["X-CSRF-Token"] = System.getenv("CSRF")
  val address = System.getenv("CATALOGO_URL")
  val products = ProdutosApi(address)
  val operators = OperadoresEstrangeirosApi(address)
  val subscriptions = AssinaturasDeEventosApi(address)
  val company = "12345678"
  val content = ProductRequest("Caixa", ProductRequest.Modalidade.IMPORTACAO, "39269090")

  show(AutenticaoApi(address).authenticateWithKey("demo", "demo", AutenticaoApi.RoleTypeAuthenticateWithKey.IMPEXP))
  val product = show(products.includeProduct(company, content))
  show(products.getProductVersion(company, product.codigo, "1"))
  show(products.listProducts(company))
  show(
      products.batchProducts(
          listOf(
              ProductItem(
                  1, company,
                  denominacao = "Tampa", modalidade = ProductItem.Modalidade.IMPORTACAO, ncm = "39269090"),
              ProductItem(2, company, situacao = ProductItem.Situacao.RASCUNHO, denominacao = "Alça"),
              ProductItem(3, company, situacao = ProductItem.Situacao.DESATIVADO, codigo = 1),
          )))
  val operator =
      show(
          operators.includeForeignOperator(
              company,
              "DE",
              ForeignOperatorRequest("Werk", "Weg 1", "Bonn", email = "werk@example.com"),
          ))
  show(operators.listForeignOperators(company))
  show(
      VnculosDeFabricantesEProdutoresApi(address)
          .linkManufacturer(
              company,
              ManufacturerLinkRequest(product.codigo, true, "DE", codigoOperadorEstrangeiro = operator.codigo),
          ))
  show(subscriptions.subscribe(SubscriptionRequest("catp-prod-alterado", URI("https://erp.empresa.com.br/avisos"))))
  show(subscriptions.listSubscriptions())
  show(TabelasDeAtributosApi(address).getNcmAttributes("39269090"))
  show(products.exportProducts(company, false))
  try {
    products.includeProduct(company, content.copy(ncm = "00000000"))
  } catch (refusal: ClientException) {
    show(json.readValue((refusal.response as ClientError<*>).body as String, ErrorBody::class.java))
  }
  // The version is missing in this answer.
  val isRefused = runCatching { products.getProductVersion(company, product.codigo, "1") }.isFailure
  println(json.writeValueAsString(mapOf("refused" to isRefused)))
  exitProcess(0)
}

# Calls operations through the generated client. Prints a JSON line of each answer as its class has it.
require 'logger'
require 'uri'
require 'openapi_client'

OpenapiClient.configure do |config|
  address = URI(ENV.fetch('CATALOGO_URL'))
  config.scheme = address.scheme
  config.host = "#{address.host}:#{address.port}"
  config.server_index = nil
  config.logger = Logger.new($stderr)
  config.api_key['Authorization'] = ENV.fetch('TOKEN')
  config.api_key['X-CSRF-Token'] = ENV.fetch('CSRF')
end

def problems(value)
  return value.flat_map { |one| problems(one) } if value.is_a?(Array)
  return [] unless value.respond_to?(:list_invalid_properties)

  value.list_invalid_properties + value.instance_variables.flat_map { |one| problems(value.instance_variable_get(one)) }
end

# A list, a class or bytes. A value that its class calls invalid ends the program.
def show(value)
  plain = value.is_a?(Array) ? value.map(&:to_hash) : value.respond_to?(:to_hash) ? value.to_hash : { bytes: File.size(value.path) }
  wrong = problems(value)
  abort "invalid: #{wrong}" unless wrong.empty?
  puts plain.to_json
  value
end

include OpenapiClient
products = ProdutosApi.new
operators = OperadoresEstrangeirosApi.new
subscriptions = AssinaturasDeEventosApi.new
company = '12345678'

show AutenticaoApi.new.authenticate_with_key('demo', 'demo', 'IMPEXP')
product = show products.include_product(
  company, ProductRequest.new(denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090')
)
show products.get_product_version(company, product.codigo, '1')
show products.list_products(company)
show products.batch_products(
  [
    ProductItem.new(seq: 1, cpf_cnpj_raiz: company, denominacao: 'Tampa', modalidade: 'IMPORTACAO', ncm: '39269090'),
    ProductItem.new(seq: 2, cpf_cnpj_raiz: company, situacao: 'RASCUNHO', denominacao: 'Alça'),
    ProductItem.new(seq: 3, cpf_cnpj_raiz: company, situacao: 'DESATIVADO', codigo: 1)
  ]
)
operator = show operators.include_foreign_operator(
  company, 'DE',
  ForeignOperatorRequest.new(nome: 'Werk', logradouro: 'Weg 1', nome_cidade: 'Bonn', email: 'werk@example.com')
)
show operators.list_foreign_operators(company)
show VnculosDeFabricantesEProdutoresApi.new.link_manufacturer(
  company,
  ManufacturerLinkRequest.new(
    codigo_produto: product.codigo, conhecido: true, codigo_pais: 'DE', codigo_operador_estrangeiro: operator.codigo
  )
)
show subscriptions.subscribe(
  SubscriptionRequest.new(evento: 'catp-prod-alterado', endpoint: 'https://erp.empresa.com.br/avisos')
)
show subscriptions.list_subscriptions
show TabelasDeAtributosApi.new.get_ncm_attributes('39269090')
show products.export_products(company, false)
begin
  products.include_product(company, ProductRequest.new(denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '00000000'))
rescue ApiError => e
  show ErrorBody.build_from_hash(JSON.parse(e.response_body, symbolize_names: true))
end
# The version is missing in this answer.
begin
  incomplete = products.get_product_version(company, product.codigo, '1')
  puts({ refused: !problems(incomplete).empty? }.to_json)
rescue ArgumentError
  puts({ refused: true }.to_json)
end

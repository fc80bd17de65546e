<?php
// Calls operations through the generated client. Prints a JSON line of each answer as its class has it.
declare(strict_types=1);

error_reporting(E_ALL);
set_error_handler(fn(int $level, string $text) => throw new ErrorException($text, 0, $level));
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $prefix = 'OpenAPI\\Client\\';
    if (str_starts_with($class, $prefix))
        require getenv('CLIENT') . '/lib/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
});

use OpenAPI\Client\Api;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model;

// Every file of the client loads, also those that are not called.
foreach (['Api', 'Model'] as $folder)
    foreach (glob(getenv('CLIENT') . "/lib/$folder/*.php") as $file)
        class_exists("OpenAPI\\Client\\$folder\\" . basename($file, '.php'));

$config = Configuration::getDefaultConfiguration()
    ->setHost(getenv('CATALOGO_URL'))
    ->setApiKey('Authorization', getenv('TOKEN'))
    ->setApiKey('X-CSRF-Token', getenv('CSRF'));

function problems(mixed $value): array
{
    if (is_array($value)) return array_merge([], ...array_map('problems', array_values($value)));
    if (!$value instanceof Model\ModelInterface) return [];
    $members = array_map(fn(string $getter) => $value->$getter(), $value::getters());
    return array_merge($value->listInvalidProperties(), problems($members));
}

/** A list, a class or bytes. A value that its class calls invalid ends the program. */
function show(mixed $value): mixed
{
    $wrong = problems($value);
    if ($wrong !== []) throw new Exception('invalid: ' . implode('; ', $wrong));
    $plain = $value instanceof SplFileObject ? ['bytes' => $value->getSize()] : $value;
    echo json_encode($plain, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE), "\n";
    return $value;
}

$products = new Api\ProdutosApi();
$operators = new Api\OperadoresEstrangeirosApi();
$subscriptions = new Api\AssinaturasDeEventosApi();
$company = '12345678';
$content = ['denominacao' => 'Caixa', 'modalidade' => 'IMPORTACAO', 'ncm' => '39269090'];

show((new Api\AutenticaoApi())->authenticateWithKey('demo', 'demo', 'IMPEXP'));
$product = show($products->includeProduct($company, new Model\ProductRequest($content)));
show($products->getProductVersion($company, $product->getCodigo(), '1'));
show($products->listProducts($company));
$item = ['seq' => 1, 'cpf_cnpj_raiz' => $company, ...$content, 'denominacao' => 'Tampa'];
show($products->batchProducts([
    new Model\ProductItem($item),
    new Model\ProductItem(['seq' => 2, 'cpf_cnpj_raiz' => $company, 'situacao' => 'RASCUNHO', 'denominacao' => 'Alça']),
    new Model\ProductItem(['seq' => 3, 'cpf_cnpj_raiz' => $company, 'situacao' => 'DESATIVADO', 'codigo' => 1]),
]));
$operator = show($operators->includeForeignOperator($company, 'DE', new Model\ForeignOperatorRequest([
    'nome' => 'Werk', 'logradouro' => 'Weg 1', 'nome_cidade' => 'Bonn', 'email' => 'werk@example.com',
])));
show($operators->listForeignOperators($company));
show((new Api\VnculosDeFabricantesEProdutoresApi())->linkManufacturer($company, new Model\ManufacturerLinkRequest([
    'codigo_produto' => $product->getCodigo(),
    'conhecido' => true,
    'codigo_pais' => 'DE',
    'codigo_operador_estrangeiro' => $operator->getCodigo(),
])));
show($subscriptions->subscribe(new Model\SubscriptionRequest([
    'evento' => 'catp-prod-alterado', 'endpoint' => 'https://erp.empresa.com.br/avisos',
])));
show($subscriptions->listSubscriptions());
show((new Api\TabelasDeAtributosApi())->getNcmAttributes('39269090'));
show($products->exportProducts($company, false));
try {
    $products->includeProduct($company, new Model\ProductRequest([...$content, 'ncm' => '00000000']));
} catch (ApiException $refusal) {
    show($refusal->getResponseObject());
}
// The version is missing in this answer.
try {
    $incomplete = $products->getProductVersion($company, $product->getCodigo(), '1');
    echo json_encode(['refused' => problems($incomplete) !== []]), "\n";
} catch (InvalidArgumentException | ErrorException) {
    echo json_encode(['refused' => true]), "\n";
}

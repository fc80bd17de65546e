<?php
$pasta = 'catp-dev/tls';
$base = getenv('CATALOGO_URL') ?: 'https://localhost:8443';
$pedido = curl_init("$base/portal/api/autenticar");
curl_setopt_array($pedido, [
    CURLOPT_POST => true,
    CURLOPT_POSTFIELDS => '',
    CURLOPT_HTTPHEADER => ['Role-Type: IMPEXP'],
    CURLOPT_HEADER => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_CAINFO => "$pasta/catp-ca.pem",
    CURLOPT_SSLCERTTYPE => 'P12',
    CURLOPT_SSLCERT => "$pasta/demo.pfx",
    CURLOPT_SSLCERTPASSWD => 'catp',
]);
$resposta = curl_exec($pedido) ?: throw new Exception(curl_error($pedido));
echo curl_getinfo($pedido, CURLINFO_RESPONSE_CODE), ' ';
echo stripos($resposta, 'set-token:') !== false ? 'true' : 'false', "\n";

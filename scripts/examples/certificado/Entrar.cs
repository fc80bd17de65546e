using System;
using System.Net.Http;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

class Entrar
{
    static void Main()
    {
        var pasta = "catp-dev/tls";
        var maria = new X509Certificate2(pasta + "/demo.pfx", "catp");
        var autoridade = new X509Certificate2(pasta + "/catp-ca.pem");
        var manipulador = new HttpClientHandler();
        manipulador.ClientCertificates.Add(maria);
        // Só para desenvolvimento: confia na autoridade de catp dev, e em nenhuma outra.
        manipulador.ServerCertificateCustomValidationCallback = (pedido, certificado, cadeia, erros) =>
            (erros & SslPolicyErrors.RemoteCertificateNameMismatch) == 0
            && cadeia.ChainElements[cadeia.ChainElements.Count - 1].Certificate.Thumbprint == autoridade.Thumbprint;
        var cliente = new HttpClient(manipulador);
        cliente.DefaultRequestHeaders.Add("Role-Type", "IMPEXP");
        var @base = Environment.GetEnvironmentVariable("CATALOGO_URL") ?? "https://localhost:8443";
        var resposta = cliente.PostAsync(@base + "/portal/api/autenticar", null).Result;
        Console.WriteLine((int)resposta.StatusCode + " " + resposta.Headers.Contains("Set-Token").ToString().ToLower());
    }
}

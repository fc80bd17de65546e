using System;
using System.Net;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

class Entrar
{
    static void Main()
    {
        var pasta = "catp-dev/tls";
        var autoridade = new X509Certificate2(pasta + "/catp-ca.pem");
        var endereco = Environment.GetEnvironmentVariable("CATALOGO_URL") ?? "https://localhost:8443";
        var pedido = (HttpWebRequest)WebRequest.Create(endereco + "/portal/api/autenticar");
        pedido.Method = "POST";
        pedido.ContentLength = 0;
        pedido.Headers["Role-Type"] = "IMPEXP";
        pedido.ClientCertificates.Add(new X509Certificate2(pasta + "/demo.pfx", "catp"));
        // Só para desenvolvimento: confia na autoridade de catp dev, e em nenhuma outra.
        pedido.ServerCertificateValidationCallback = (origem, certificado, cadeia, erros) =>
            (erros & SslPolicyErrors.RemoteCertificateNameMismatch) == 0
            && Array.TrueForAll(cadeia.ChainStatus, um => um.Status == X509ChainStatusFlags.UntrustedRoot)
            && cadeia.ChainElements[cadeia.ChainElements.Count - 1].Certificate.Thumbprint == autoridade.Thumbprint;
        using (var resposta = (HttpWebResponse)pedido.GetResponse())
            Console.WriteLine((int)resposta.StatusCode + " " + (resposta.Headers["Set-Token"] != null));
    }
}

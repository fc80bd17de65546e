import type { JSX } from 'preact';
import { Snippet } from '../ui.tsx';

/** Works when pasted into a shell, against the demo catalogue; test/executable/browser.test.ts pastes it. */
function tour(origin: string): string {
  return `BASE=${origin}

# 1. Entrar e guardar os dois cabeçalhos da resposta
curl -s -o /dev/null -D entrada.txt -X POST "$BASE/portal/api/autenticar/chave-acesso" \\
  -H 'Client-Id: demo' -H 'Client-Secret: demo' -H 'Role-Type: IMPEXP'
TOKEN=$(awk 'tolower($1) == "set-token:" {print $2}' entrada.txt | tr -d '\\r')
CSRF=$(awk 'tolower($1) == "x-csrf-token:" {print $2}' entrada.txt | tr -d '\\r')

# 2. Listar os produtos da empresa
curl -s "$BASE/catp/api/ext/produto?cpfCnpjRaiz=12345678" \\
  -H "Authorization: $TOKEN" -H "X-CSRF-Token: $CSRF"`;
}

export function Start(): JSX.Element {
  return (
    <section class="card start" aria-labelledby="start-title">
      <h2 id="start-title">Comece em dois minutos</h2>
      <p>
        A API é a mesma do serviço oficial: autentique-se uma vez e envie <code>Authorization</code> e{' '}
        <code>X-CSRF-Token</code> em cada requisição. Cole em um terminal:
      </p>
      <Snippet label="Terminal" text={tour(location.origin)} />
      <p>
        Todas as operações, com exemplos prontos para copiar, estão na <a href="/docs">referência da API</a>.
      </p>
    </section>
  );
}

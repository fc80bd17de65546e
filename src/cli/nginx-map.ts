/** Which instance serves which company, as nginx reads it (`/ajuda/alem-de-uma-maquina`). */
import { OperatorError, UsageError } from '../errors.ts';
import type { Company } from '../session/model.ts';

/** What `proxy_pass` takes behind `http://`: an address with its port, or the name of an upstream. */
const TARGET = /^[\w.:[\]-]{1,255}$/;

/** Lines for the inside of a `map` block. Throws for a target that would be something else to nginx. */
export function nginxMap(companies: readonly Company[], target: string): string {
  if (!TARGET.test(target))
    throw new UsageError(
      `--nginx: recebido ${JSON.stringify(target)}; aceita endereço:porta (10.0.0.5:8080) ou o nome de um upstream.`,
    );
  const lines = companies.map(({ cpfCnpjRaiz, nome }) => `${cpfCnpjRaiz} ${target}; # ${commentOf(nome)}`);
  return [
    '# catp company list --nginx: cpfCnpjRaiz e a instância que a atende.',
    '# Para dentro de: map $catp_raiz $catp_instancia { … include este arquivo; }',
    ...lines,
  ].join('\n');
}

/** On one line, whatever a name holds. */
const commentOf = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** Where nginx finds an instance that listens there. Throws where only the instance itself could know. */
export function addressOf(host: string, port: number): string {
  if (port === 0)
    throw new OperatorError(
      'A configuração não diz a porta (porta = 0). Indique o destino: catp company list --nginx 127.0.0.1:8080.',
    );
  if (host === '0.0.0.0' || host === '::') return `127.0.0.1:${port}`;
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
}

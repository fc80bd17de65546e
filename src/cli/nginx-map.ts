/** The map from companies to instances in nginx syntax (`/ajuda/alem-de-uma-maquina`). */
import { OperatorError, UsageError } from '../errors.ts';
import type { Company } from '../session/model.ts';

/**
 * The form that `proxy_pass` accepts behind `http://`: an address with its port, or the name of an upstream.
 */
const TARGET = /^[\w.:[\]-]{1,255}$/;

/** Returns the lines of a `map` block. Throws for a target that nginx would interpret as something else. */
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

/** Puts a name with any characters on one line. */
const commentOf = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** Returns the address at which nginx reaches an instance. Throws when only the running instance knows it. */
export function addressOf(host: string, port: number): string {
  if (port === 0)
    throw new OperatorError(
      'A configuração não diz a porta (porta = 0). Indique o destino: catp company list --nginx 127.0.0.1:8080.',
    );
  if (host === '0.0.0.0' || host === '::') return `127.0.0.1:${port}`;
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
}

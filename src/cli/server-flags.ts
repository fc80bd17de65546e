/** The flags that `serve` and `dev` share, each of which stands for a setting. */
import type { Command } from 'commander';
import type { Settings } from '../settings/config.ts';
import type { Logger } from '../log/log.ts';
import { PROFILE_PAGE, profileNote } from '../profile.ts';
import { collect } from './options.ts';

/** In the log of a start (contract section 1). */
export function tellProfile(log: Logger, { ambiente, perfil }: Settings): void {
  const note = profileNote(perfil);
  if (note === undefined) log.info('Ambiente {ambiente}, perfil {perfil}.', { ambiente, perfil });
  else
    log.info('Ambiente {ambiente}, perfil {perfil}: {note}; leia {page}.', {
      ...{ ambiente, perfil, note, page: PROFILE_PAGE },
    });
}

export const SERVER_FLAG_SETTINGS = {
  host: 'host',
  port: 'porta',
  perfil: 'perfil',
  ambiente: 'ambiente',
  map: 'entrega.mapa',
  ca: 'entrega.ca',
  retry: 'entrega.repeticoes',
  tlsPort: 'tls.porta',
  tlsCert: 'tls.certificado',
  tlsKey: 'tls.chave',
  tlsClientCa: 'tls.clientes',
} as const;

export const serverFlags = (made: Command): Command =>
  made
    .option('--perfil <nome>', 'especificacao ou portal')
    .option('--ambiente <nome>', 'homologacao, validacao ou producao')
    .option('--map <host:porta=endereço:porta>', 'entrega a um receptor local; repetível', collect, [])
    .option('--ca <arquivo>', 'raízes de confiança adicionais para entregas; repetível', collect, [])
    .option('--retry <esperas>', 'repetições de entrega: 60s,10m,… ou none')
    .option('--tls-port <n>', 'porta HTTPS com certificado de cliente')
    .option('--tls-cert <arquivo>', 'certificado do servidor (PEM)')
    .option('--tls-key <arquivo>', 'chave do servidor (PEM)')
    .option('--tls-client-ca <arquivo>', 'autoridades dos certificados de cliente (PEM)');

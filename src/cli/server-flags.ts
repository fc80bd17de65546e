/** The shared flags of `serve` and `dev`. Each stands for a setting. */
import type { Settings } from '../settings/config.ts';
import type { Logger } from '../log/log.ts';
import { PROFILE_PAGE, profileNote } from '../profile.ts';
import type { Flag } from './flag.ts';
import { collect } from './options.ts';

/** Logs environment and profile at a start (contract section 1). */
export function logProfile(log: Logger, { ambiente, perfil }: Settings): void {
  const note = profileNote(perfil);
  if (note === undefined) log.info('Ambiente {ambiente}, perfil {perfil}.', { ambiente, perfil });
  else
    log.info('Ambiente {ambiente}, perfil {perfil}: {note}; leia {page}.', {
      ambiente,
      perfil,
      note,
      page: PROFILE_PAGE,
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

export const SERVER_FLAGS: readonly Flag[] = [
  { usage: '--perfil <nome>', about: 'especificacao ou portal' },
  { usage: '--ambiente <nome>', about: 'homologacao, validacao ou producao' },
  {
    usage: '--map <host:porta=endereço:porta>',
    about: 'entrega a um receptor local; repetível',
    defaultValue: [],
    parse: collect,
  },
  {
    usage: '--ca <arquivo>',
    about: 'autoridades certificadoras adicionais para entregas; repetível',
    defaultValue: [],
    parse: collect,
  },
  { usage: '--retry <esperas>', about: 'intervalos das novas tentativas de entrega: 60s,10m,… ou none' },
  { usage: '--tls-port <n>', about: 'porta HTTPS com certificado de cliente' },
  { usage: '--tls-cert <arquivo>', about: 'certificado do servidor (PEM)' },
  { usage: '--tls-key <arquivo>', about: 'chave do servidor (PEM)' },
  { usage: '--tls-client-ca <arquivo>', about: 'autoridades dos certificados de cliente (PEM)' },
];

/** The shared flags of `serve` and `dev`. Each stands for a setting. */
import type { Settings } from '../settings/config.ts';
import type { Logger } from '../log/log.ts';
import { PROFILE_PAGE, profileNote } from '../profile.ts';
import type { Flag } from './flag.ts';
import { collect } from './options.ts';

/** Logs environment and profile at a start (contract section 1). */
export function tellProfile(log: Logger, { ambiente, perfil }: Settings): void {
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
  { written: '--perfil <nome>', about: 'especificacao ou portal' },
  { written: '--ambiente <nome>', about: 'homologacao, validacao ou producao' },
  {
    written: '--map <host:porta=endereço:porta>',
    about: 'entrega a um receptor local; repetível',
    byDefault: [],
    read: collect,
  },
  {
    written: '--ca <arquivo>',
    about: 'raízes de confiança adicionais para entregas; repetível',
    byDefault: [],
    read: collect,
  },
  { written: '--retry <esperas>', about: 'repetições de entrega: 60s,10m,… ou none' },
  { written: '--tls-port <n>', about: 'porta HTTPS com certificado de cliente' },
  { written: '--tls-cert <arquivo>', about: 'certificado do servidor (PEM)' },
  { written: '--tls-key <arquivo>', about: 'chave do servidor (PEM)' },
  { written: '--tls-client-ca <arquivo>', about: 'autoridades dos certificados de cliente (PEM)' },
];

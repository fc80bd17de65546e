/** The first output of a serving development instance: its addresses, its users, and example commands. */
import { PROFILE_PAGE, profileNote } from '../../profile.ts';
import type { Colours } from './colours.ts';
import { visible } from '../../validation/text.ts';
import { type TryParts, triesOf } from './tries.ts';

export interface BannerParts extends TryParts {
  readonly version: string;
  /** The certificates that `--tls` created. `folder` is quoted for the shell. */
  readonly certificates:
    | {
        readonly folder: string;
        readonly password: string;
        readonly company: {
          readonly documento: string;
          readonly represents: string;
          readonly perfil: string;
        };
      }
    | undefined;
  readonly ambiente: string;
  readonly perfil: string;
  /** The instant of the test clock. `undefined` with the machine's clock. */
  readonly testClock: string | undefined;
  readonly data: string;
  readonly users: readonly {
    readonly key: string;
    readonly nome: string;
    /** False if --secrets has no key for this user, who then cannot authenticate by access key. */
    readonly hasKey: boolean;
    readonly represents: readonly string[];
  }[];
}

/** Replaces a wildcard address with `localhost`, a name that the certificate contains. */
const callableUrl = (url: string): string => url.replace(/\/\/(?:0\.0\.0\.0|\[::\]):/, '//localhost:');

export function bannerText(received: BannerParts, { strong, faint, good }: Colours): string {
  const parts = {
    ...received,
    http: callableUrl(received.http),
    https: received.https === undefined ? undefined : callableUrl(received.https),
  };
  const { version, http, https, ambiente, perfil, testClock, data, users } = parts;
  const note = profileNote(perfil);
  const rows: (readonly [string, string])[] = [
    ['API', good(http)],
    ...(https === undefined ? [] : [['HTTPS', good(https)] as const]),
    ...certificateRows(parts),
    ['Páginas', `${http}/  referência ${http}/docs  ajuda ${http}/ajuda`],
    ['Ambiente', `${ambiente}, sem efeito legal`],
    ['Perfil', note === undefined ? perfil : `${perfil}: ${note}; leia ${http}${PROFILE_PAGE}`],
    ['Relógio', testClock === undefined ? 'o da máquina' : `de teste, em ${testClock}`],
    ['Pasta', visible(data)],
  ];
  const usersWithKey = users.filter(({ hasKey }) => hasKey);
  const usersWithoutKey = users.filter(({ hasKey }) => !hasKey).map(({ key }) => key);
  const keyWidth = Math.max(...usersWithKey.map(({ key }) => key.length));
  return [
    '',
    `  ${strong(`catp ${version}`)} ${faint('instância de desenvolvimento')}`,
    '',
    ...rows.map(([label, text]) => `  ${faint(label.padEnd(9))} ${text}`),
    '',
    `  ${strong('Quem entra')} ${faint(`Client-Secret ${parts.ownSecrets ? 'de --secrets, troque SEGREDO por ele' : 'igual ao Client-Id'}; Role-Type IMPEXP`)}`,
    ...usersWithKey.map(({ key, nome, represents }) => {
      const what = represents.length === 0 ? '' : faint(`representa ${represents.join(', ')}`);
      return `  ${key.padEnd(keyWidth)}  ${nome}  ${what}`.trimEnd();
    }),
    ...(usersWithoutKey.length === 0
      ? []
      : [faint(`  Sem chave, porque --secrets não as tem: ${usersWithoutKey.join(', ')}`)]),
    '',
    `  ${strong('Para experimentar')} ${faint('cole em outro terminal; cada requisição aparece aqui')}`,
    ...triesOf(parts).flatMap(({ what, command }, index) => [
      `  ${index + 1}. ${what}`,
      ...command.split('\n').map((line) => `     ${line}`),
    ]),
    '',
    '',
  ].join('\n');
}

function certificateRows({ certificates }: BannerParts): (readonly [string, string])[] {
  if (certificates === undefined) return [];
  const { folder, password, company } = certificates;
  const { documento, represents, perfil } = company;
  return [
    ['Confie em', visible(`${folder}/catp-ca.pem`)],
    [
      'Clientes',
      visible(
        `em ${folder}, senha ${password}: demo.pfx, ou demo.pem e demo.key; empresa.pfx (CNPJ ${documento}, representa ${represents} em ${perfil})`,
      ),
    ],
  ];
}

/**
 * Example commands for a new instance, for bash or PowerShell. The second and the third need the tokens of
 * the first.
 */

export interface TryParts {
  readonly http: string;
  readonly https: string | undefined;
  /** The certificates that `--tls` created. `folder` is quoted for the shell. */
  readonly certificates: { readonly folder: string; readonly password: string } | undefined;
  /** True when the fixed secrets do not apply. */
  readonly ownSecrets: boolean;
  /** The shell for the commands. */
  readonly shell: 'bash' | 'powershell';
  readonly users: readonly { readonly key: string; readonly hasKey: boolean }[];
}

interface Try {
  readonly what: string;
  readonly command: string;
}

/** The commands in the syntax of one shell. */
interface ShellSyntax {
  signIn(http: string, key: string, secret: string): string;
  get(address: string): string;
  post(address: string, body: string): string;
  byCertificate(https: string, certificates: NonNullable<TryParts['certificates']>): string;
}

const TOKENS = `-H "Authorization: $TOKEN" -H "X-CSRF-Token: $CSRF"`;

const BASH: ShellSyntax = {
  signIn: (
    http,
    key,
    secret,
  ) => `eval "$(curl -s -o /dev/null -D - -X POST ${http}/portal/api/autenticar/chave-acesso \\
  -H 'Client-Id: ${key}' -H 'Client-Secret: ${secret}' -H 'Role-Type: IMPEXP' |
  tr -d '\\r' | sed -n 's/^set-token: /TOKEN=/Ip; s/^x-csrf-token: /CSRF=/Ip')"`,
  get: (address) => `curl -sS ${TOKENS} ${address.includes('?') ? `'${address}'` : address}`,
  post: (address, body) => `curl -sS ${TOKENS} -X POST ${address} \\
  -d '${body}' -H 'Content-Type: application/json'`,
  byCertificate: (
    https,
    { folder },
  ) => `curl -sSi -X POST ${https}/portal/api/autenticar -H 'Role-Type: IMPEXP' \\
  --cacert ${folder}/catp-ca.pem --cert ${folder}/demo.pem --key ${folder}/demo.key`,
};

/**
 * The commands for PowerShell. They are also valid in Windows PowerShell 5.1, where a header is a text (in
 * later versions a list), and where a body passed as text loses its accents.
 */
const POWERSHELL: ShellSyntax = {
  signIn: (
    http,
    key,
    secret,
  ) => `$r = Invoke-WebRequest -UseBasicParsing -Method Post ${http}/portal/api/autenticar/chave-acesso -Headers @{
  'Client-Id' = '${key}'; 'Client-Secret' = '${secret}'; 'Role-Type' = 'IMPEXP' }
$h = @{ 'Authorization' = "$($r.Headers['Set-Token'])"; 'X-CSRF-Token' = "$($r.Headers['X-CSRF-Token'])" }`,
  get: (address) => `Invoke-RestMethod -Headers $h '${address}'`,
  post: (
    address,
    body,
  ) => `Invoke-RestMethod -Headers $h -Method Post ${address} -ContentType 'application/json' -Body (
  [Text.Encoding]::UTF8.GetBytes('${body}'))`,
  byCertificate: (https, { folder, password }) => {
    // PowerShell splits a quoted text followed by more characters into two arguments.
    const pathIn = (name: string): string => `'${folder.replaceAll(/^'|'$/g, '')}/${name}'`;
    return `curl.exe -sSi -X POST ${https}/portal/api/autenticar -H 'Role-Type: IMPEXP' \`
  --cacert ${pathIn('catp-ca.pem')} --cert ${pathIn(`demo.pfx:${password}`)} --cert-type P12`;
  },
};

export function triesOf({
  http,
  https = '',
  users,
  certificates,
  ownSecrets,
  shell,
}: TryParts): readonly Try[] {
  const words = shell === 'powershell' ? POWERSHELL : BASH;
  const key = users.find(({ hasKey }) => hasKey)?.key ?? 'demo';
  return [
    {
      what: `Entrar como ${key} e guardar os dois tokens:`,
      command: words.signIn(http, key, ownSecrets ? 'SEGREDO' : key),
    },
    {
      what: 'Listar os produtos de uma empresa:',
      command: words.get(`${http}/catp/api/ext/produto?cpfCnpjRaiz=12345678`),
    },
    // A public agent cannot include products.
    key === 'demo'
      ? { what: 'Incluir um produto:', command: words.post(`${http}/catp/api/ext/produto/12345678`, PRODUCT) }
      : { what: 'Ver quem entrou:', command: words.get(`${http}/appliance/api/session`) },
    ...(certificates === undefined
      ? []
      : [
          {
            what: 'Entrar com o certificado de Maria Demonstração:',
            command: words.byCertificate(https, certificates),
          },
        ]),
  ];
}

const PRODUCT = '{"denominacao": "Caixa plástica", "modalidade": "IMPORTACAO", "ncm": "39269090"}';

/** Debian's nginx in front of a server, on the loopback, with the configuration of the handbook. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ROOT } from './sources.ts';
import { freePort } from './ports.ts';

const UNPACKED = join(ROOT, '.tools', 'nginx', 'usr', 'sbin', 'nginx');

/** The path of nginx; `undefined` when this machine does not have it. */
export const nginxPath: string | undefined =
  Bun.which('nginx') ?? (existsSync(UNPACKED) ? UNPACKED : undefined);

/** Returns the nginx configuration of a page of the handbook. Throws when it lacks a part of `wanted`. */
function configurationIn(page: string, name: string, wanted: readonly string[]): string {
  const text = readFileSync(join(ROOT, 'src', 'docs', 'pages', page), 'utf8');
  const [, block] = new RegExp(`<!-- ${name} -->\\s+\`\`\`nginx\\n(.*?)\`\`\``, 's').exec(text) ?? [];
  if (block === undefined) throw new Error('the handbook has no configuration for nginx');
  for (const words of wanted) if (!block.includes(words)) throw new Error(`the handbook says no ${words}`);
  return block;
}

export interface NginxParts {
  /** An initially empty folder. */
  readonly folder: string;
  /** PEM files: of nginx itself, and of the authorities of clients. */
  readonly cert: string;
  readonly key: string;
  readonly authorities: string;
  /** The port of catp. */
  readonly port: number;
}

export interface RunningNginx {
  readonly url: string;
  stop(): Promise<void>;
}

export function startNginx(parts: NginxParts): Promise<RunningNginx> {
  const server = configurationIn('rede.md', 'server-nginx', ['/etc/nginx/icp-brasil.pem', '127.0.0.1:8080'])
    .replace('/etc/nginx/icp-brasil.pem', parts.authorities)
    .replace('127.0.0.1:8080', `127.0.0.1:${parts.port}`);
  return run(parts, '', server);
}

export interface BalancerParts extends Omit<NginxParts, 'authorities'> {
  /** The folder with the output of `catp company list --nginx`; `port` serves all other companies. */
  readonly maps: string;
}

/** Starts nginx in front of several instances, each with its companies. */
export function startBalancer(parts: BalancerParts): Promise<RunningNginx> {
  const page = 'alem-de-uma-maquina.md';
  const maps = configurationIn(page, 'instances-maps', ['/etc/nginx/catp/*.map', '127.0.0.1:8080'])
    .replace('/etc/nginx/catp', parts.maps)
    .replace('127.0.0.1:8080', `127.0.0.1:${parts.port}`);
  return run(parts, maps, configurationIn(page, 'instances-server', ['$catp_instancia']));
}

type Place = Pick<NginxParts, 'folder' | 'cert' | 'key'>;

/** Runs nginx. `maps`: outside of the server block; `server`: inside it. */
async function run({ folder, cert, key }: Place, maps: string, server: string): Promise<RunningNginx> {
  if (nginxPath === undefined) throw new Error('no nginx on this machine');
  const port = freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name), { recursive: true });
    return `${name}_temp_path ${join(folder, name)};`;
  });
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; error_log stderr;
     events { worker_connections 256; }
     http { access_log off; ${temporary.join(' ')}
       ${maps}
       server { listen 127.0.0.1:${port} ssl; ssl_certificate ${cert}; ssl_certificate_key ${key};
         ${server} } }`,
  );
  const child = Bun.spawn([nginxPath, '-p', folder, '-e', 'stderr', '-c', file], {
    stdout: 'ignore',
    stderr: 'pipe',
  });
  await isListening(port, child);
  return {
    url: `https://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

async function isListening(port: number, child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>): Promise<void> {
  const tried = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port });
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  while (!(await tried())) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${await new Response(child.stderr).text()}`);
    await Bun.sleep(20);
  }
}

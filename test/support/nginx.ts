/** Debian's nginx before a server, on the loopback, with the words of the handbook. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ROOT } from './sources.ts';

const UNPACKED = join(ROOT, '.tools', 'nginx', 'usr', 'sbin', 'nginx');

/** Where it is, or `undefined` where this machine has none. */
export const nginxPath: string | undefined =
  Bun.which('nginx') ?? (existsSync(UNPACKED) ? UNPACKED : undefined);

/** What the handbook says that nginx needs, once for the server and once for `location`. */
const HANDBOOK = join(ROOT, 'src', 'docs', 'pages', 'servidor.md');
const CONFIGURATION = /<!-- server-nginx -->\s+```nginx\n(.*?)```/s;

export interface NginxParts {
  /** Empty but for what is made there. */
  readonly folder: string;
  /** Files in PEM: of nginx itself, and of the authorities of clients. */
  readonly cert: string;
  readonly key: string;
  readonly authorities: string;
  /** Of catp. */
  readonly port: number;
}

export interface RunningNginx {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startNginx(parts: NginxParts): Promise<RunningNginx> {
  if (nginxPath === undefined) throw new Error('no nginx on this machine');
  const port = freePort();
  const [, told] = CONFIGURATION.exec(readFileSync(HANDBOOK, 'utf8')) ?? [];
  if (told === undefined) throw new Error('the handbook has no configuration for nginx');
  const wanted = ['/etc/nginx/icp-brasil.pem', '127.0.0.1:8080'];
  for (const words of wanted) if (!told.includes(words)) throw new Error(`the handbook says no ${words}`);
  const server = told
    .replace('/etc/nginx/icp-brasil.pem', parts.authorities)
    .replace('127.0.0.1:8080', `127.0.0.1:${parts.port}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(parts.folder, name), { recursive: true });
    return `${name}_temp_path ${join(parts.folder, name)};`;
  });
  const file = join(parts.folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${join(parts.folder, 'nginx.pid')}; error_log stderr;
     events { worker_connections 256; }
     http { access_log off; ${temporary.join(' ')}
       server { listen 127.0.0.1:${port} ssl; ssl_certificate ${parts.cert}; ssl_certificate_key ${parts.key};
         ${server} } }`,
  );
  const child = Bun.spawn([nginxPath, '-p', parts.folder, '-e', 'stderr', '-c', file], {
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

function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
  const { port } = probe;
  probe.stop(true);
  return port;
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

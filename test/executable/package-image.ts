/**
 * The container image (scripts/package --oci), unpacked as by a container runtime and run by bubblewrap:
 * one user, a read-only root.
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { YAML } from 'bun';
import { fences } from '../support/documents.ts';
import { OutputReader } from './terminal.ts';

const hasBubblewrap =
  process.platform === 'linux' &&
  Bun.spawnSync(['bwrap', '--ro-bind', '/', '/', '--unshare-user', '--uid', '65532', 'true']).exitCode === 0;
if (!hasBubblewrap) console.warn('SKIPPED: no bubblewrap here; the image of a container is NOT run');

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}
interface ImageConfig {
  readonly config: {
    readonly User: string;
    readonly Entrypoint: readonly [string];
    readonly Cmd: readonly string[];
    readonly Env: readonly string[];
    readonly Volumes: object;
    readonly Healthcheck: { readonly Test: readonly string[] };
  };
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

interface ComposeFile {
  readonly services: {
    readonly catalogo: {
      readonly image: string;
      readonly read_only: boolean;
      readonly volumes: readonly string[];
      readonly command: readonly string[];
      readonly healthcheck: { readonly test: readonly string[] };
    };
  };
  readonly volumes: object;
}

/** Describes the tests. `pack` builds the image into a folder of that name and returns the folder. */
export function describeImage(pack: (name: string, ...flags: readonly string[]) => string): void {
  describe('the image of a container', () => {
    let layout: string;
    let root: string;
    let data: string;
    let image: ImageConfig;
    const run = (...words: readonly string[]): string => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([...words]);
      if (exitCode !== 0) throw new Error(`${words.join(' ')}\n${stderr.toString()}`);
      return stdout.toString();
    };
    const blob = ({ digest }: Descriptor): string => join(layout, 'blobs', digest.replace(':', '/'));
    const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8')) as unknown;
    const digestOf = (bytes: Uint8Array): string =>
      `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

    beforeAll(() => {
      const imageFolder = pack('imagem', '--oci');
      [layout, root, data] = [
        join(imageFolder, 'layout'),
        join(imageFolder, 'root'),
        join(imageFolder, 'data'),
      ];
      for (const folder of [layout, root, data]) mkdirSync(folder);
      const [file = ''] = readdirSync(imageFolder).filter((name) => name.endsWith('.oci.tar'));
      run('tar', '-C', layout, '-xf', join(imageFolder, file));
    });

    test('matches its digests, from the index to each layer', () => {
      const { manifests } = json(join(layout, 'index.json')) as { manifests: readonly [Descriptor] };
      const manifest = json(blob(manifests[0])) as { config: Descriptor; layers: readonly Descriptor[] };
      for (const descriptor of [...manifests, manifest.config, ...manifest.layers]) {
        const bytes = readFileSync(blob(descriptor));
        expect([digestOf(bytes), bytes.length]).toEqual([descriptor.digest, descriptor.size]);
      }
      image = json(blob(manifest.config)) as ImageConfig;
      const unpacked = manifest.layers.map((layer) => digestOf(Bun.gunzipSync(readFileSync(blob(layer)))));
      expect(unpacked).toEqual([...image.rootfs.diff_ids]);
      for (const layer of manifest.layers) run('tar', '-C', root, '-xzf', blob(layer));
      const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
      expect(names.filter((name) => /(^|\/)(sh|bash|busybox|apt|dpkg)$/.test(name))).toEqual([]);
      expect(run('stat', '-c', '%u %a', join(root, 'data'))).toBe('65532 700\n');
    });

    test('matches the compose file of the handbook: a read-only root, its volume, its health check', async () => {
      const block = (await fences()).find(({ name }) => name === 'compose')?.code ?? '';
      const { services, volumes } = YAML.parse(block) as ComposeFile;
      const { image: name, read_only, volumes: mounts, healthcheck, command } = services.catalogo;
      expect([name, read_only, Object.keys(volumes)]).toEqual(['catp:1.0.0', true, ['dados', 'copias']]);
      expect(healthcheck.test).toEqual([...image.config.Healthcheck.Test]);
      const [volume = ''] = Object.keys(image.config.Volumes);
      expect(mounts).toContain(`dados:${volume}`);
      expect(command.slice(0, 3)).toEqual(image.config.Cmd.slice(0, 3));
    });

    /** Returns the command of a container runtime: only the volume is writable. */
    const containerCommand = (): string[] => {
      const { User, Env } = image.config;
      const [uid = '', gid = ''] = User.split(':');
      return [
        ...['bwrap', '--ro-bind', root, '/', '--bind', data, '/data', '--proc', '/proc', '--dev', '/dev'],
        ...['--unshare-user', '--uid', uid, '--gid', gid, '--unshare-pid', '--unshare-ipc', '--clearenv'],
        ...Env.flatMap((variable) => ['--setenv', ...variable.split(/=(.*)/s).slice(0, 2)]),
        ...['--chdir', '/data', '--die-with-parent'],
      ];
    };

    test.skipIf(!hasBubblewrap)(
      'creates an instance on its volume and serves it by its default command; health reports it as ready',
      async () => {
        const { Entrypoint, Cmd, Healthcheck } = image.config;
        const [executable] = Entrypoint;
        const output = run(
          ...containerCommand(),
          executable,
          'init',
          '--data',
          '/data',
          '--perfil',
          'especificacao',
        );
        expect(output).toContain('Instância criada');
        const [command, ...flags] = Cmd;
        expect([command, ...flags]).toEqual(['serve', '--data', '/data', '--host', '0.0.0.0']);
        await serve([executable, ...Cmd], async (url) => {
          run(...containerCommand(), ...Healthcheck.Test.slice(1), '--url', url);
          expect((await fetch(`${url}/readyz`, NEW_CONNECTION)).status).toBe(200);
        });
      },
    );

    /** Disables connection reuse: the port may belong to a later server. */
    const NEW_CONNECTION = { keepalive: false } as const;

    /** Serves on an address other than 127.0.0.1, which other containers use; SIGTERM must end it cleanly. */
    async function serve(words: readonly string[], look: (url: string) => Promise<void>): Promise<void> {
      const runtime = Bun.spawn([...containerCommand(), ...words, '--port', '0'], {
        stdout: 'pipe',
        stderr: 'ignore',
      });
      try {
        const READY = /pronto em http:\/\/\S+:(\d+)\n/;
        const [, port] = READY.exec(await new OutputReader(runtime.stdout).until(READY)) ?? [];
        await look(`http://127.0.0.2:${port}`);
        process.kill(contents(runtime.pid), 'SIGTERM');
        expect(await runtime.exited).toBe(0);
      } finally {
        runtime.kill('SIGKILL');
      }
    }

    test.skipIf(!hasBubblewrap)(
      'dev listens on a public address with generated secrets, and refuses the known ones',
      async () => {
        const [executable] = image.config.Entrypoint;
        const words = [executable, 'dev', '--data', '/data/dev', '--host', '0.0.0.0', '--secrets', '-'];
        await serve(words, async (url) => {
          const answer = await fetch(`${url}/portal/api/autenticar/chave-acesso`, {
            ...NEW_CONNECTION,
            method: 'POST',
            headers: { 'Client-Id': 'demo', 'Client-Secret': 'demo', 'Role-Type': 'IMPEXP' },
          });
          expect([answer.status, await answer.text()]).toEqual([
            422,
            expect.stringContaining('PLAT-ER8008') as unknown as string,
          ]);
        });
      },
    );

    test('is refused for a platform whose libraries are missing', () => {
      expect(() => pack('outra', '--oci', '--target', 'linux-arm64')).toThrow(
        /a imagem leva as bibliotecas desta máquina \(linux-x64\); a de linux-arm64/,
      );
    });
  });
}

/**
 * Returns the process that bubblewrap runs, by its process id on this machine. That process may have child
 * processes of its own.
 */
function contents(pid: number): number {
  if (readFileSync(`/proc/${pid}/comm`, 'utf8') !== 'bwrap\n') return pid;
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return contents(Number(child));
}

/**
 * A container image (OCI image layout, which `podman load` and `docker load` accept): the executable, its
 * linked libraries and the CA certificates. It needs no registry and no daemon.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { $ } from 'bun';
import { MINUTE_MS, SECOND_MS } from '../../src/clock.ts';
import type { Carried } from './carried.ts';
import { copyLegalFiles } from './contents.ts';

/** The conventional unprivileged user of such images. */
const USER = 65532;
const DATA = '/data';
const EXECUTABLE = '/usr/bin/catp';
const PORT = 8080;
const NANOSECONDS = 1e6;

interface Layer {
  /** Digest of the stored bytes. */
  readonly digest: string;
  readonly size: number;
  /** Digest of the tar before compression. */
  readonly diffId: string;
}

/** The libraries are those of this machine, and so is the platform. */
export const IMAGE_TARGET = `${process.platform}-${process.arch}`;

export async function makeImage({ executable, target, folder, seconds, version }: Carried): Promise<string> {
  const layout = join(folder, 'oci');
  const blobs = join(layout, 'blobs', 'sha256');
  mkdirSync(blobs, { recursive: true });

  const base = join(folder, 'base');
  await layOutBase(base, executable);
  const program = join(folder, 'program');
  place(executable, program, EXECUTABLE, 0o755);
  copyLegalFiles(folder, join(program, 'usr', 'share', 'doc', 'catp'));
  const layers = [await layerOf(base, blobs, seconds, DATA), await layerOf(program, blobs, seconds)];

  const blob = (value: object): { digest: string; size: number } => {
    const text = JSON.stringify(value);
    const hex = createHash('sha256').update(text).digest('hex');
    writeFileSync(join(blobs, hex), text);
    return { digest: `${SHA256}${hex}`, size: Buffer.byteLength(text) };
  };
  const architecture = target.endsWith('arm64') ? 'arm64' : 'amd64';
  const config = blob(imageConfig(architecture, new Date(seconds * SECOND_MS), layers));
  const mediaType = 'application/vnd.oci.image';
  const manifest = blob({
    schemaVersion: 2,
    mediaType: `${mediaType}.manifest.v1+json`,
    config: { mediaType: `${mediaType}.config.v1+json`, ...config },
    layers: layers.map(({ digest, size }) => ({ mediaType: `${mediaType}.layer.v1.tar+gzip`, digest, size })),
  });
  const name = `catp:${version}`;
  const annotations = { 'org.opencontainers.image.ref.name': version, 'io.containerd.image.name': name };
  const listed = {
    mediaType: `${mediaType}.manifest.v1+json`,
    ...manifest,
    platform: { os: 'linux', architecture },
    annotations,
  };
  const write = (file: string, value: object): void =>
    writeFileSync(join(layout, file), JSON.stringify(value));
  write('oci-layout', { imageLayoutVersion: '1.0.0' });
  write('index.json', { schemaVersion: 2, mediaType: `${mediaType}.index.v1+json`, manifests: [listed] });
  // For a docker that supports no other layout.
  const pathOf = (digest: string): string => `blobs/${digest.replace(':', '/')}`;
  write('manifest.json', [
    { Config: pathOf(config.digest), RepoTags: [name], Layers: layers.map(({ digest }) => pathOf(digest)) },
  ]);

  const file = join(folder, `catp-${version}-${target}.oci.tar`);
  await $`tar -C ${layout} ${fixed(seconds)} -cf ${file} oci-layout index.json manifest.json blobs`;
  return file;
}

/** Lays out the common files of a system: loader and libraries, names, CA certificates, a data folder. */
async function layOutBase(base: string, executable: string): Promise<void> {
  const linked = await $`ldd ${executable}`.text();
  const libraries = [...linked.matchAll(/(?:=> )?(\/\S+) \(0x/g)].flatMap(([, path]) => path ?? []);
  for (const path of libraries) place(path, base, path, 0o755);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text, { mode: 0o644 });
  };
  write('/etc/passwd', `root:x:0:0:root:/:/nologin\ncatp:x:${USER}:${USER}:catp:${DATA}:/nologin\n`);
  write('/etc/group', `root:x:0:\ncatp:x:${USER}:\n`);
  write('/etc/nsswitch.conf', 'hosts: files dns\n');
  write('/etc/ssl/certs/ca-certificates.crt', `${rootCertificates.join('\n')}\n`);
  for (const path of [DATA, '/tmp', '/proc', '/dev', '/sys'])
    mkdirSync(join(base, path), { recursive: true });
}

/** Returns the version of the system's glibc, as its `ldd` prints it: `Debian GLIBC 2.36-9`. */
export async function glibcVersion(): Promise<string> {
  const [, release] = /\((.+)\)/.exec(await $`ldd --version`.text()) ?? [];
  return release ?? 'desconhecida';
}

function place(from: string, root: string, path: string, mode: number): void {
  const to = join(root, path);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, mode);
}

const fixed = (seconds: number, owner = 0): readonly string[] => [
  ...['--sort=name', `--owner=${owner}`, `--group=${owner}`, '--numeric-owner', '--format=ustar'],
  `--mtime=@${seconds}`,
];

/** Writes a layer. `own`: a folder in it that belongs to the user; root owns the rest. */
async function layerOf(root: string, blobs: string, seconds: number, own?: string): Promise<Layer> {
  const tar = join(dirname(root), `${basename(root)}.tar`);
  const without = own === undefined ? [] : [`--exclude=.${own}`];
  await $`tar -C ${root} ${fixed(seconds)} --mode=u=rwX,go=rX ${without} -cf ${tar} .`;
  if (own !== undefined) await $`tar -C ${root} ${fixed(seconds, USER)} --mode=0700 -rf ${tar} .${own}`;
  const diffId = digestOf(tar);
  await $`gzip -6nf ${tar}`;
  const stored = `${tar}.gz`;
  const layer = { digest: digestOf(stored), size: statSync(stored).size, diffId };
  renameSync(stored, join(blobs, layer.digest.slice(SHA256.length)));
  rmSync(root, { recursive: true });
  return layer;
}

const SHA256 = 'sha256:';
const digestOf = (file: string): string =>
  `${SHA256}${createHash('sha256').update(readFileSync(file)).digest('hex')}`;

function imageConfig(architecture: string, created: Date, layers: readonly Layer[]): object {
  const nanoseconds = (ms: number): number => ms * NANOSECONDS;
  return {
    created: created.toISOString(),
    architecture,
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { [`${PORT}/tcp`]: {} },
      Env: ['SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt', `HOME=${DATA}`],
      Entrypoint: [EXECUTABLE],
      Cmd: ['serve', '--data', DATA, '--host', '0.0.0.0'],
      WorkingDir: DATA,
      Volumes: { [DATA]: {} },
      // SIGTERM ends it within 5 s, with all accepted data on the disk.
      StopSignal: 'SIGTERM',
      Healthcheck: {
        Test: ['CMD', EXECUTABLE, 'health'],
        Interval: nanoseconds(10 * SECOND_MS),
        Timeout: nanoseconds(5 * SECOND_MS),
        StartPeriod: nanoseconds(MINUTE_MS),
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(() => ({ created: created.toISOString(), created_by: 'scripts/package --oci' })),
  };
}

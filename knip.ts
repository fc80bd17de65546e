import type { KnipConfig } from 'knip';

/** Where each program begins; Bun starts a Worker by its file. */
export default {
  entry: [
    'src/**/*.worker.ts',
    'src/web/{main.tsx,help.ts,docs/try.tsx}',
    // Named by modules that `scripts/build.ts` writes.
    'src/web/serving/embedded.ts',
    'src/system/addon.ts',
    'test/executable/browser/support.ts',
    'scripts/*.ts',
    'scripts/benchmarks/{main,guard,count-modules,seed,deadline-table}.ts',
    'scripts/benchmarks/baselines/*.ts',
    'test/**/*.test.ts',
    'test/**/*-main.ts',
  ],
  // What the page of clients shows has packages of its own; its test compiles it.
  project: ['{src,test,scripts,migrations}/**/*.{ts,tsx}', '!scripts/examples/**'],
  // Of Debian, where its packages are made, of Java, of glibc and of OpenSSH.
  ignoreBinaries: ['dpkg-deb', 'javac', 'ldd', 'ssh-keygen'],
  // Headers for a compiler (`scripts/packaging/addon.ts`).
  ignoreDependencies: ['node-api-headers'],
  // A type that is used where it stands is exported for whoever calls with it.
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig;

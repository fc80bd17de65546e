import type { KnipConfig } from 'knip';

/** Where each program begins; Bun bundles what an HTML import names, and starts a Worker by its file. */
export default {
  entry: [
    'src/**/*.worker.ts',
    'scripts/*.ts',
    'scripts/benchmarks/{main,seed}.ts',
    'scripts/benchmarks/baselines/*.ts',
    'test/**/*.test.ts',
    'test/**/*-main.ts',
  ],
  project: ['{src,test,scripts,migrations}/**/*.{ts,tsx,html}'],
  compilers: { html: importsOf },
  // A type that is used where it stands is exported for whoever calls with it.
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig;

/** The scripts of a page, as the imports that Bun makes of them. */
function importsOf(html: string): string {
  return [...html.matchAll(/src="(\.\/[^"]+\.tsx?)"/g)].map(([, file]) => `import '${file}';`).join('\n');
}

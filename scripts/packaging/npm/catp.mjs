#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { executable } from './index.mjs';

const child = spawn(executable(), process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('error', ({ message }) => {
  console.error(`catp: ${message}`);
  process.exit(1);
});
child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));

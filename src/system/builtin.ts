/**
 * Runtime modules that cost milliseconds of every start and some megabytes, and that most starts need late or
 * never. Each is loaded on first use. An asynchronous function uses `await import('node:…')` instead.
 */

export const nodeCrypto = () => process.getBuiltinModule('node:crypto');

export const nodeHttp = () => process.getBuiltinModule('node:http');

export const nodeHttps = () => process.getBuiltinModule('node:https');

export const nodeNet = () => process.getBuiltinModule('node:net');

export const nodeTls = () => process.getBuiltinModule('node:tls');

export const nodeZlib = () => process.getBuiltinModule('node:zlib');

/**
 * Modules of the runtime that cost milliseconds of every start and some megabytes, and that most starts need late or
 * never: each is loaded by its first use. Where a function is asynchronous anyway, `await import('node:…')` does the same.
 */

export const nodeCrypto = () => process.getBuiltinModule('node:crypto');

export const nodeHttp = () => process.getBuiltinModule('node:http');

export const nodeHttps = () => process.getBuiltinModule('node:https');

export const nodeNet = () => process.getBuiltinModule('node:net');

export const nodeTls = () => process.getBuiltinModule('node:tls');

export const nodeZlib = () => process.getBuiltinModule('node:zlib');

/**
 * The common part of every bare server: a free port, TLS when the files are given, and the line that reports
 * the port.
 */

export function serve(fetch: (request: Request) => Response | Promise<Response>): void {
  const { PORT = '0', TLS_CERT, TLS_KEY } = process.env;
  const isTls = TLS_CERT !== undefined && TLS_KEY !== undefined;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: Number(PORT),
    ...(isTls && { tls: { cert: Bun.file(TLS_CERT), key: Bun.file(TLS_KEY) } }),
    fetch,
  });
  console.log(`pronto em ${isTls ? 'https' : 'http'}://127.0.0.1:${server.port}`);
}

/** What every bare server needs: a free port, and the line that says so. */

export function serve(fetch: (request: Request) => Response | Promise<Response>): void {
  const server = Bun.serve({ hostname: '127.0.0.1', port: Number(process.env['PORT'] ?? 0), fetch });
  console.log(`pronto em http://127.0.0.1:${server.port}`);
}

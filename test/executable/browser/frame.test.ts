/**
 * Common behaviour of every page: sign-in, session, company, connection, permitted scripts and loaded files.
 */
import { expect, test } from 'bun:test';
import { startCatp } from '../../support/executable.ts';
import { chooseCompany, chosenCompany, refusalOn } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import {
  expectAnatomy,
  expectCount,
  fillSignIn,
  expectFocus,
  expectGoodPage,
  inBrowser,
  PHONE,
  signIn,
  tabTo,
} from './support.ts';

const ENDED = 'A sessão terminou. Entre de novo para continuar.';

inBrowser('the frame of the pages', ['dev', '--empty'], (site) => {
  test('a wrong key is refused with message, code and tag', async () => {
    const { page, strangers } = await site.open();
    await page.waitForURL('**/entrar');
    await fillSignIn(page, 'demo', 'errado');
    const alert = await refusalOn(page);
    expect(alert).toContain('Não foi possível efetuar a autenticação com chave de acesso.');
    expect(alert).toContain('PLAT-ER8008');
    expect(alert).toMatch(/\[PLAT-[A-Z0-9]{10}\]/);
    expect(page.url()).toBe(`${site.url}/entrar`);
    expect(strangers).toEqual([]);
    await page.context().close();
  });

  test('the sign-in page says what it requires and who issues it; other profiles are folded and described in words', async () => {
    const { page } = await site.open('/entrar');
    await page.getByText('Quem administra esta instalação a cria e entrega.').waitFor();
    const profile = page.getByLabel('Perfil');
    expect(await profile.isVisible()).toBe(false);
    await page.getByText('Perfil: IMPEXP, importador, exportador ou despachante').click();
    await profile.selectOption({ label: 'DEPOSIT, depositário' });
    await expectGoodPage(page, 'Entrar', 'entrar');
    await fillSignIn(page, 'demo', 'demo');
    expect(await refusalOn(page)).toContain('PLAT-ER2013');
    await profile.selectOption('IMPEXP');
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByRole('heading', { name: 'Painel' }).waitFor();
    await page.context().close();
  });

  test('a page that is opened without a session is shown after sign-in with its filters', async () => {
    const { page } = await site.open('/operadores?nome=acme&cpfCnpjRaiz=87654321');
    await page.waitForURL('**/entrar?voltar=*');
    await signIn(page, 'demo');
    await page.getByRole('heading', { name: 'Operadores estrangeiros' }).waitFor();
    const { searchParams, pathname } = new URL(page.url());
    expect([pathname, searchParams.get('nome'), searchParams.get('cpfCnpjRaiz')]).toEqual([
      '/operadores',
      'acme',
      '87654321',
    ]);
    await eventually(() => chosenCompany(page)).toBe('87654321');
    await eventually(() => page.getByLabel('Nome').inputValue()).toBe('acme');
    await page.context().close();
  });

  test('the sign-in redirects to no other site', async () => {
    const { page } = await site.open('/entrar?voltar=//exemplo.test/');
    await signIn(page, 'demo');
    expect(new URL(page.url()).origin).toBe(site.url);
    await page.context().close();
  });

  test('the keyboard alone signs in, opens a page and signs out', async () => {
    const { page } = await site.open();
    await page.waitForURL('**/entrar');
    await page.getByLabel('Client-Id').waitFor();
    await page.keyboard.press('Tab');
    await expectFocus(page, 'Ir para o conteúdo');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('demo');
    await page.keyboard.press('Tab');
    await page.keyboard.type('demo');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Painel' }).waitFor();
    await tabTo(page, 'Operadores');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Operadores estrangeiros' }).waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await tabTo(page, 'Sair', 200);
    const signOut = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/entrar');
    const { status, path, repeated } = await signOut.then(async (answer) => ({
      status: answer.status(),
      path: new URL(answer.url()).pathname,
      repeated: await fetch(answer.url(), { headers: await answer.request().allHeaders() }),
    }));
    expect([path, status, repeated.status]).toEqual(['/appliance/api/session', 204, 401]);
    await eventually(() => page.evaluate(() => sessionStorage.getItem('catp.session'))).toBeNull();
    await page.context().close();
  });

  test('an expired session is reported, and continues on the same page after sign-in', async () => {
    const { page } = await site.enter('demo', '/importar');
    await page.getByText('Nenhuma importação ainda.').waitFor();
    await page.evaluate(() =>
      sessionStorage.setItem('catp.session', '{"authorization":"x","csrf":"y","until":0}'),
    );
    await page.getByRole('link', { name: 'Operadores', exact: true }).click();
    await page.getByText(ENDED).waitFor();
    await signIn(page, 'demo');
    await page.getByRole('heading', { name: 'Operadores estrangeiros' }).waitFor();
    await eventually(() => page.getByText(ENDED).count()).toBe(0);
    await page.context().close();
  });

  test('the chosen company is in the address, and remains chosen on the next pages', async () => {
    const { page } = await site.enter('demo', '/operadores');
    await page.waitForURL('**/operadores?cpfCnpjRaiz=12345678');
    await chooseCompany(page, '87654321');
    await page.waitForURL('**/operadores?cpfCnpjRaiz=87654321');
    await page.getByRole('link', { name: 'Produtos' }).click();
    await page.waitForURL('**/produtos?cpfCnpjRaiz=87654321');
    await page.getByRole('link', { name: 'Desenvolvedor' }).click();
    await page.getByRole('link', { name: 'Referência da API' }).click();
    await page.getByRole('link', { name: 'Consulta produtos', exact: true }).waitFor();
    // The reference is a separate document without a company.
    await page.getByRole('link', { name: 'Desenvolvedor' }).click();
    await page.getByRole('link', { name: 'Vínculos', exact: true }).click();
    await page.waitForURL('**/vinculos?cpfCnpjRaiz=87654321');
    await page.context().close();
  });

  test('actions without a right are not offered, and the current page is marked', async () => {
    const linesOf = async (user: 'demo' | 'admin'): Promise<readonly string[]> => {
      const { page } = await site.enter(user);
      // The count of items that need attention may arrive later.
      const lines = (await page.getByRole('navigation').innerText())
        .split(/\n+/)
        .filter((line) => !/^\d+(?: ite(?:m pede|ns pedem) atenção)?$/.test(line));
      await eventually(() => page.locator('nav [aria-current=page]').allInnerTexts()).toEqual(['Painel']);
      await page.goto(`${site.url}/${user === 'demo' ? 'administracao' : 'produtos'}`);
      await page.getByText('não tem acesso a esta página').waitFor();
      await page.context().close();
      return lines;
    };
    const catalogue = ['Produtos', 'Operadores', 'Vínculos', 'Importar', 'A corrigir', 'Aprovar'];
    const portal = ['Portal Único', 'Notificações'];
    const installation = ['Instalação', 'Atributos'];
    const last = ['Desenvolvedor', 'Ajuda'];
    expect(await linesOf('demo')).toEqual([
      'Catálogo',
      'Painel',
      ...catalogue,
      ...portal,
      ...installation,
      ...last,
    ]);
    expect(await linesOf('admin')).toEqual([
      'Catálogo',
      'Painel',
      ...portal,
      ...installation,
      'Administração',
      ...last,
    ]);
  });

  test('remotes are in the navigation once one exists; an administrator reaches their page before', async () => {
    const { page } = await site.enter('admin', '/administracao');
    const remotesLink = page.getByRole('navigation').getByRole('link', { name: 'Remotos' });
    await page.locator('main').getByRole('link', { name: 'Remotos' }).click();
    await page.getByText('Nenhum remoto ainda.').waitFor();
    expect(await remotesLink.getAttribute('aria-current')).toBe('page');
    await page.getByRole('link', { name: 'Atributos' }).click();
    await expectCount(remotesLink, 0);
    const remote = { name: 'portal', companies: ['12345678'] };
    expect((await site.call('admin', 'POST', '/appliance/api/remotes', remote)).status).toBe(200);
    for (const user of ['admin', 'demo'] as const) {
      const { page: attributesPage } = await site.enter(user, '/atributos');
      await attributesPage.getByRole('navigation').getByRole('link', { name: 'Remotos' }).click();
      await attributesPage.getByRole('heading', { level: 1, name: 'Remotos' }).waitFor();
      await attributesPage.context().close();
    }
    expect((await site.call('admin', 'DELETE', '/appliance/api/remotes/portal')).status).toBe(204);
    await page.context().close();
  });

  test('on a phone the navigation is a drawer, and Escape closes it and returns the focus', async () => {
    const { page } = await site.enter('demo', '/', { viewport: PHONE });
    const link = page.getByRole('link', { name: 'Importar' });
    await eventually(() => link.isVisible()).toBe(false);
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.click();
    await link.waitFor();
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
    await expectFocus(page, 'Menu');
    await menu.click();
    await link.click();
    await page.getByText('Importar um arquivo').waitFor();
    await eventually(() => link.isVisible()).toBe(false);
    await page.context().close();
  });

  test('an unknown address gets a 404 page in a browser, and JSON otherwise', async () => {
    const { page } = await site.open('/nada/aqui');
    await page.getByRole('heading', { name: 'Página não encontrada' }).waitFor();
    await expectAnatomy(page, 'Página não encontrada');
    await page.context().close();
    const answerTo = async (accept: string) => {
      const { status, headers } = await fetch(`${site.url}/nada/aqui`, { headers: { accept } });
      return [status, headers.get('content-type')?.split(';')[0]];
    };
    expect(await answerTo('text/html')).toEqual([404, 'text/html']);
    expect(await answerTo('*/*')).toEqual([404, 'application/json']);
  });

  test('foreign scripts do not run, inline or external', async () => {
    const { page, complaints } = await site.open('/entrar');
    const scriptsRun = await page.evaluate(async () => {
      const script = document.createElement('script');
      try {
        script.text = 'document.title = "taken over"';
        document.head.append(script);
      } catch {
        // Refused even earlier, by trusted types.
      }
      const reached = await fetch('http://127.0.0.1:9/').then(
        () => true,
        () => false,
      );
      return { title: document.title, reached };
    });
    expect(scriptsRun.title).not.toBe('taken over');
    expect(scriptsRun.reached).toBe(false);
    expect(complaints.join('\n')).toContain('Content Security Policy');
    await page.context().close();
  });

  test('all compressed scripts are smaller than 250 KB; assets use brotli and are cached permanently', async () => {
    const { page } = await site.open('/entrar');
    const names = new Set<string>();
    const visit = async (name: string): Promise<void> => {
      if (names.has(name)) return;
      names.add(name);
      const text = await (await fetch(`${site.url}/assets/${name}`)).text();
      for (const [, next = ''] of text.matchAll(/\/assets\/([\w-]+\.js)/g)) await visit(next);
    };
    const [first = ''] = await page
      .locator('script')
      .evaluateAll((all) => all.map((script) => (script as HTMLScriptElement).src.split('/').at(-1) ?? ''));
    await visit(first);
    expect(names.size).toBeGreaterThan(10);
    let bytes = 0;
    for (const name of names) {
      const answer = await fetch(`${site.url}/assets/${name}`, {
        headers: { 'accept-encoding': 'br' },
        decompress: false,
      } as RequestInit);
      expect(answer.headers.get('content-encoding')).toBe('br');
      expect(answer.headers.get('cache-control')).toContain('immutable');
      bytes += (await answer.arrayBuffer()).byteLength;
    }
    expect(bytes).toBeLessThan(250_000);
    await page.context().close();
  });

  test('the page of attributes loads at most 50 KB of compressed scripts', async () => {
    const { page } = await site.enter('admin', '/atributos');
    await page.waitForLoadState('networkidle');
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\/assets\/[\w-]+\.js$/.test(name))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(50_000);
    await page.context().close();
  });

  test('the snippet of the sign-in page works when it is pasted into a shell', async () => {
    const { page } = await site.open('/entrar');
    const snippet = await page.locator('.snippet pre').innerText();
    const shell = Bun.spawn(['bash', '-ec', `${snippet} -w '\\n%{http_code}'`], {
      cwd: site.folder,
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const answer = await new Response(shell.stdout).text();
    expect(answer.split('\n').at(-1)).toMatch(/^20[04]$/);
    await page.context().close();
  });

  test('the snippet of the sign-in page is for PowerShell when the browser runs on Windows', async () => {
    const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0';
    const { page } = await site.open('/entrar', { userAgent });
    const snippet = await page.getByLabel('PowerShell').innerText();
    expect(snippet).toContain("Invoke-RestMethod -Headers $h '");
    expect(snippet).not.toContain('curl');
    await page.context().close();
  });

  // This test is the last one, because it stops the server.
  test('a lost connection is reported, and the page continues automatically when the server is back', async () => {
    const { page } = await site.enter('demo', '/importar');
    await page.getByText('Nenhuma importação ainda.').waitFor();
    const port = new URL(site.url).port;
    await site.catp.kill9();
    await page.getByRole('link', { name: 'Operadores', exact: true }).click();
    await page.getByText('Sem conexão com o servidor.').waitFor();
    const restarted = await startCatp(['dev', '--empty', '--port', port], { cwd: site.folder });
    await page.getByText('Ainda não há operadores estrangeiros neste catálogo.').waitFor();
    await page.getByText('Sem conexão com o servidor.').waitFor({ state: 'hidden' });
    await page.context().close();
    await restarted.stop();
  });
});

inBrowser('the sign-in page of serve', ['serve', '--data', 'dados'], (site) => {
  test('shows no demo credentials and describes the first step', async () => {
    const { page } = await site.open('/entrar');
    await page.getByText('Primeira vez aqui?').waitFor();
    const text = await page.locator('body').innerText();
    expect(text).toContain('catp init');
    expect(text).not.toMatch(/\bdemo\b/);
    const { status } = await fetch(`${site.url}/requisicoes`, { headers: { accept: 'text/html' } });
    expect(status).toBe(404);
    await page.context().close();
  });
});

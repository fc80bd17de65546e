/** Serves the two addresses that a browser visits for a sign-in by the provider (contract section 27). */
import { cookieIn, cookieText } from '../http/cookies.ts';
import { newTrackerId } from '../http/answers.ts';
import type { StaticAnswer } from '../http/router.ts';
import { MINUTE_MS, SECOND_MS } from '../clock.ts';
import { RETURN_PATH } from './model.ts';
import { CODE_LIFETIME_MS } from './one-time-codes.ts';
import { ProviderRefusal } from './refusal.ts';
import type { ProviderAccess } from './routes.ts';
import { type ProviderSignIn, START_LIFETIME_MS } from './sign-in.ts';

export const START_PATH = '/entrar/oidc';

/** A refused sign-in, as its page and its log line show it. */
export interface RefusalOnPage {
  readonly refusal: ProviderRefusal;
  /** Ten letters, on the page and in the log. */
  readonly tag: string;
  readonly status: number;
}

export interface ProviderPagesParts {
  readonly signIn: ProviderSignIn;
  readonly page: (request: Request, refusal: RefusalOnPage) => Promise<Response>;
  readonly log: (request: Request, refusal: RefusalOnPage) => void;
}

/** Returns the name of the cookie. The prefix keeps another host of the same domain from setting it. */
const cookieNameOf = ({ isSecure }: ProviderSignIn): string => (isSecure ? '__Host-catp-oidc' : 'catp-oidc');

/** Returns the ticket of a sign-in from the cookie of the browser that began it. */
const ticketIn = ({ headers }: Request, signIn: ProviderSignIn): string | undefined =>
  cookieIn(headers, cookieNameOf(signIn));

const ticketCookie = (signIn: ProviderSignIn, ticket: string, ms: number): string =>
  cookieText(cookieNameOf(signIn), ticket, ms / SECOND_MS, signIn.isSecure);

/** Lifetime of the cookie after the return: a slow page still exchanges its code. */
const TICKET_MS = CODE_LIFETIME_MS + MINUTE_MS;

export function providerAccess(parts: ProviderPagesParts): ProviderAccess {
  const { signIn, page, log } = parts;
  const withRefusalPage =
    (answer: (request: Request) => Promise<Response>): StaticAnswer =>
    async (request) => {
      try {
        return await answer(request);
      } catch (error) {
        if (!(error instanceof ProviderRefusal)) throw error;
        const refusalOnPage = { refusal: error, tag: newTrackerId(), status: statusOf(error) };
        log(request, refusalOnPage);
        const response = await page(request, refusalOnPage);
        response.headers.set('Cache-Control', 'no-store');
        response.headers.append('Set-Cookie', ticketCookie(signIn, '', 0));
        return response;
      }
    };
  const pages = new Map<string, StaticAnswer>([
    [
      START_PATH,
      withRefusalPage(async () => {
        const { address, ticket } = await signIn.begin();
        return redirect(address, ticketCookie(signIn, ticket, START_LIFETIME_MS));
      }),
    ],
    [
      RETURN_PATH,
      withRefusalPage(async (request) => {
        const ticket = ticketIn(request, signIn);
        const code = await signIn.finish(new URL(request.url).searchParams, ticket, request.signal);
        return redirect(`/entrar#codigo=${code}`, ticketCookie(signIn, ticket ?? '', TICKET_MS));
      }),
    ],
  ]);
  return {
    pages,
    trade: (request, code) => signIn.trade(code, ticketIn(request, signIn)),
    endAddress: () => signIn.endAddress(),
  };
}

const redirect = (address: string, cookie: string): Response =>
  new Response(null, {
    status: 302,
    headers: {
      Location: address,
      'Set-Cookie': cookie,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    },
  });

const FORBIDDEN_RULES: ReadonlySet<string> = new Set(['notAuthorized', 'unknownPerson', 'noAccess']);

function statusOf({ rule }: ProviderRefusal): number {
  if (rule === 'providerAway') return 503;
  return FORBIDDEN_RULES.has(rule) ? 403 : 422;
}

/** What `/ajuda` runs, which is read without it too: a tab that is there hands the session on, and hears of its end. */
import { OtherTabs } from './api/other-tabs.ts';
import { Tokens } from './api/tokens.ts';

const tokens = new Tokens(sessionStorage);
const others = new OtherTabs(tokens);
others.onEnd = (why) => (why === '' ? sessionStorage.clear() : tokens.forget());
if (!tokens.present) others.ask();

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = String.raw`(?<time>\d\d:\d\d:\d\d)`;
const MONTH = `(?<month>${MONTHS.join('|')})`;

/** The three forms of an HTTP date that a recipient must understand (RFC 9110, section 5.6.7). */
const FORMS = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/** An HTTP date in milliseconds since 1970; null for an invalid date, which a recipient ignores. */
export function readHttpDate(text: string): number | null {
  const parts = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!parts) return null;
  const { day = '', month = '', year = '', time = '' } = parts;
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  const date = `${fourDigits(year)}-${number}-${day.replace(' ', '0')}`;
  const at = Date.parse(`${date}T${time}Z`);
  // Date.parse accepts a day that the month does not have: it reads the 31st of April as the 1st of May.
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(date) ? null : at;
}

const DAY_SECONDS = 86_400;
/** A cache for `startOf`. The number of a day, counted from 1970, decides its place in the list. */
const days: { readonly day: number; readonly text: string }[] = [];
const MOST_DAYS = 1024;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/**
 * Returns the same text as `toUTCString`, which takes more than ten times as long. Each answer to a read of one
 * product, user or order has such a text.
 *
 * @param at in milliseconds since 1970
 */
export function httpDate(at: number): string {
  const seconds = Math.floor(at / 1000);
  const day = Math.floor(seconds / DAY_SECONDS);
  const rest = seconds - day * DAY_SECONDS;
  const hour = TWO_DIGITS[Math.floor(rest / 3600)] as string;
  const minute = TWO_DIGITS[Math.floor(rest / 60) % 60] as string;
  return `${startOf(day)}${hour}:${minute}:${TWO_DIGITS[rest % 60] as string} GMT`;
}

/** The beginning of the text of a day, such as `Sun, 06 Nov 1994 `. */
function startOf(day: number): string {
  const place = ((day % MOST_DAYS) + MOST_DAYS) % MOST_DAYS;
  const known = days[place];
  if (known?.day === day) return known.text;
  const text = new Date(day * DAY_SECONDS * 1000).toUTCString().slice(0, -'00:00:00 GMT'.length);
  days[place] = { day, text };
  return text;
}

/** A two-digit year that seems to be more than 50 years ahead belongs to the previous century. */
function fourDigits(year: string): string {
  if (year.length === 4) return year;
  const now = new Date().getUTCFullYear();
  const same = now - (now % 100) + Number(year);
  return String(same > now + 50 ? same - 100 : same);
}

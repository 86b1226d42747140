import type { Rule } from './members.ts';
import { rule } from './rules.ts';

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const PCHAR = String.raw`(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})`;
const AUTHORITY = String.raw`//(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?(?:\[[0-9A-Fa-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?`;
const TAIL = String.raw`(?:\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?`;
const PATH = `(?:${AUTHORITY}(?:/${PCHAR}*)*|/(?:${PCHAR}+(?:/${PCHAR}*)*)?|${PCHAR}+(?:/${PCHAR}*)*)?`;
const RELATIVE = `(?:${AUTHORITY}(?:/${PCHAR}*)*|/(?:${PCHAR}+(?:/${PCHAR}*)*)?|(?!:)(?:(?!:)${PCHAR})+(?:/${PCHAR}*)*)?`;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";

const URI = new RegExp(`^[A-Za-z][A-Za-z0-9+.-]*:${PATH}${TAIL}$`, 'u');
const URI_REFERENCE = new RegExp(`^(?:[A-Za-z][A-Za-z0-9+.-]*:${PATH}|${RELATIVE})${TAIL}$`, 'u');
const EMAIL = new RegExp(
  `^(?=.{1,254}$)(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`,
  'iu',
);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/u;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/u;

function isDate(value: string): boolean {
  const [, year, month, day] = (DATE.exec(value) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && !leap ? 28 : (DAYS[month - 1] ?? 0));
}

/** RFC 3339. A leap second is valid only at the end of a UTC day. */
function isDateTime(value: string): boolean {
  const [, date, hour, minute, second, sign, offsetHour = 0, offsetMinute = 0] = DATE_TIME.exec(value) ?? [];
  if (date === undefined || !isDate(date)) return false;
  const [h, m, s, oh, om] = [hour, minute, second, offsetHour, offsetMinute].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (h > 23 || m > 59 || s > 60 || oh > 23 || om > 59) return false;
  const utc = h * 60 + m - (sign === '-' ? -1 : 1) * (oh * 60 + om);
  return s < 60 || (utc + 2880) % 1440 === 1439;
}

const format = (name: string, holds: (value: string) => boolean): Rule =>
  rule('FORMAT', `must be ${name}`, holds);
export const dateTime = format('a date and time such as 2026-11-21T08:44:54Z', isDateTime);
export const date = format('a date such as 2026-11-21', isDate);
export const email = format('an e-mail address', (value) => EMAIL.test(value));
export const uri = format('a URI', (value) => URI.test(value));
export const uriReference = format('a URI reference', (value) => URI_REFERENCE.test(value));
export const uuid = format('a UUID', (value) => UUID.test(value));

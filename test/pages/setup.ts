import { buildPages } from '../support/process.js';

/** Once for all tests: built by several at the same time, the pages would take each other's files away. */
export default buildPages;

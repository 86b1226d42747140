import { build } from '../support/process.js';

/** Once for all files: what `npm start` does before it starts. */
export default build;

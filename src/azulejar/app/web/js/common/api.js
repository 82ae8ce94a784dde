/** Calls to the server. Every failure is thrown as a ServerError. */

import { phraseError, text } from "./texts.js";

/** A problem and its remedy, in the language of the page. `status` is 0 without an answer. */
export class ServerError extends Error {
  constructor(problem, remedy, status, code = null) {
    super(problem);
    this.code = code;
    this.problem = problem;
    this.remedy = remedy;
    this.status = status;
  }
}

const GONE = ["project-unknown", "museum-unknown"];
let lost = false;

/** Tell the page, once, that a server which did not answer does so again. */
function noteAnswer() {
  if (lost) document.dispatchEvent(new Event("answered"));
  lost = false;
}

async function call(method, path, body) {
  const request = { method, headers: { Accept: "application/json" } };
  if (method !== "GET") request.headers["Content-Type"] = "application/json";
  if (body !== undefined) request.body = JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(`/api${path}`, request);
  } catch {
    throw unanswered();
  }
  noteAnswer();
  if (answer.status === 204) return null;
  const reply = await answer.json().catch(() => null);
  if (answer.status === 401 && reply?.code === "login-required") dispatchEvent(new Event("logged-out"));
  if (answer.ok) return reply;
  const error = failed(reply, answer.status);
  if (GONE.includes(error.code)) dispatchEvent(new CustomEvent("gone", { detail: error }));
  throw error;
}

function unanswered() {
  lost = true;
  return new ServerError(text("error.unanswered"), text("error.unanswered.remedy"), 0);
}

function failed(reply, status) {
  if (!reply?.problem) return new ServerError(text("error.unknown"), text("error.unknown.remedy"), status);
  const { problem, remedy } = phraseError(reply);
  return new ServerError(problem, remedy, status, reply.code);
}

const get = (path) => call("GET", path);
const post = (path, body) => call("POST", path, body);

/** Who looks at the page: {accounts, name, role}; role is null for somebody who has not logged in. */
export const getSession = () => get("/session");
export const logIn = (name, password) => post("/session", { name, password });
export const logOut = () => call("DELETE", "/session");
export const changePassword = (old, changed) => call("PUT", "/session/password", { old, new: changed });
export const listPeople = () => get("/people");
export const addPerson = (person) => post("/people", person);
export const changePerson = (person, change) => call("PATCH", `/people/${person}`, change);
export const removePerson = (person) => call("DELETE", `/people/${person}`);
export const getAccountHistory = () => get("/people/history");
export const getHistory = (project, before) =>
  get(`/projects/${project}/history${before ? `?before=${before}` : ""}`);

export const addNote = (project, note) => post(`/projects/${project}/notes`, note);
export const removeNote = (project, note) => call("DELETE", `/projects/${project}/notes/${note}`);
export const restoreNote = (project, note) => post(`/projects/${project}/notes/${note}/restore`);

export const tellPresence = (project, cursor) => post(`/projects/${project}/presence`, cursor);
export const listLinks = (project) => get(`/projects/${project}/links`);
export const makeLink = (project, link) => post(`/projects/${project}/links`, link);
export const withdrawLink = (project, link) => call("DELETE", `/projects/${project}/links/${link}`);
export const openLink = (secret) => post("/shared", { secret });
export const getShared = () => get("/shared");
export const getSharedAtlas = () => get("/shared/atlas");

export const about = () => get("/about");
export const listProjects = () => get("/projects");
export const createProject = (name) => post("/projects", { name });
export const createDemo = () => post("/projects/demo");
export const renameProject = (project, name) => call("PATCH", `/projects/${project}`, { name });
export const archiveProject = (project, archived) => call("PUT", `/projects/${project}/archived`, { archived });
export const listDeleted = () => get("/bin");
export const restoreProject = (entry) => post(`/bin/${entry}/restore`);
export const deleteProject = (project) => call("DELETE", `/projects/${project}`);

export const baseOf = (project) => `/api/projects/${project}`;
export const pictureOf = (project, tile, size) => `${baseOf(project)}/tiles/${tile}/picture?size=${size}`;
export const exportOf = (project, name) => `${baseOf(project)}/exports/${encodeURIComponent(name)}`;

export const getProject = (project) => get(`/projects/${project}`);
export const getAtlas = (project) => get(`/projects/${project}/atlas`);
export const putSettings = (project, settings) => call("PUT", `/projects/${project}/settings`, settings);
export const sendEdit = (project, edit) => post(`/projects/${project}/edits`, edit);
export const changeTiles = (project, change) => call("PATCH", `/projects/${project}/tiles`, change);
export const panelPicture = (project, name, size) =>
  `${baseOf(project)}/panel/${encodeURIComponent(name)}/picture?size=${size}`;
export const getFragments = (project) => get(`/projects/${project}/fragments`);
export const fragmentPicture = (project, name) =>
  `${baseOf(project)}/fragments/${encodeURIComponent(name)}/picture`;
export const decideJoin = (project, join, said) =>
  call("PUT", `/projects/${project}/fragments/${encodeURIComponent(join)}`, said);
/** A tile of a project or museum; `home` is its path, such as /projects/p/tiles/1. */
export const getSource = (home) => get(`${home}/source`);
export const getSourceName = (home) => get(`${home}/source/name`);
export const sourcePicture = (home, query) => `/api${home}/source/picture?${new URLSearchParams(query)}`;
export const cutAgain = (home, change) => post(`${home}/cut`, change);
export const replacePicture = (home, file, label) => send(`/api${home}/uploads?${asQuery({ name: file.name, label })}`, file);
export const referencePicture = (project, name, size) =>
  `${baseOf(project)}/references/${encodeURIComponent(name)}/picture?size=${size}`;
export const giveReference = (project, panel, file, label, onProgress, signal) =>
  send(`${baseOf(project)}/references/uploads?${asQuery({ panel, name: file.name, label })}`, file, onProgress, signal);
export const undo = (project, revision) => post(`/projects/${project}/undo`, { revision });
export const redo = (project, revision) => post(`/projects/${project}/redo`, { revision });
export const getConfidence = (project) => get(`/projects/${project}/confidence`);
export const listJobs = (project) => get(`/projects/${project}/jobs`);
export const startJob = (project, request) => post(`/projects/${project}/jobs`, request);
export const stopJob = (project, job) => post(`/projects/${project}/jobs/${job}/stop`);

export const keepVersion = (project, name) => post(`/projects/${project}/versions`, { name });
export const getVersion = (project, version) => get(`/projects/${project}/versions/${version}`);
export const nameVersion = (project, version, name) =>
  call("PATCH", `/projects/${project}/versions/${version}`, { name });
export const restoreVersion = (project, version, revision) =>
  post(`/projects/${project}/versions/${version}/restore`, { revision });

export function getCandidates(project, place, everything) {
  const { panel, row, col } = place;
  return get(`/projects/${project}/candidates?${new URLSearchParams({ panel, row, col, everything })}`);
}

export const listMuseums = () => get("/museums");
export const createMuseum = (name) => post("/museums", { name });
export const getMuseum = (museum) => get(`/museums/${museum}`);
export const listMuseumTiles = (museum, query) => get(`/museums/${museum}/tiles?${asQuery(query)}`);
export const getMuseumTile = (museum, tile) => get(`/museums/${museum}/tile?${asQuery({ tile })}`);
export const findFits = (museum, query) => get(`/museums/${museum}/fits?${asQuery(query)}`);
export const listCrates = (museum, query) => get(`/museums/${museum}/crates?${asQuery(query)}`);
export const findMissing = (museum, files) => post(`/museums/${museum}/missing`, files);
export const listPanels = (museum, query) => get(`/museums/${museum}/panels?${asQuery(query)}`);
export const listPatterns = (museum) => get(`/museums/${museum}/patterns`);
export const namePattern = (museum, pattern, name) => post(`/museums/${museum}/pattern-names`, { pattern, name });
export const uploadWall = (museum, file, onProgress, signal) =>
  send(`/api/museums/${museum}/walls/uploads?${asQuery({ name: file.name })}`, file, onProgress, signal);
export const openMuseumPanel = (museum, panel) => post(`/museums/${museum}/table`, { panel });
export const moveTiles = (museum, tiles, to) => post(`/museums/${museum}/moves`, { tiles, to });
export const editRecords = (museum, change) => call("PATCH", `/museums/${museum}/tiles`, change);
export const removeTiles = (museum, tiles, kept) => post(`/museums/${museum}/removals`, { tiles, kept });
export const restoreTiles = (museum, tiles) => post(`/museums/${museum}/restorings`, { tiles });
export const undoMove = (museum) => post(`/museums/${museum}/undo`);
export const redoMove = (museum) => post(`/museums/${museum}/redo`);
export const unitePanels = (museum, panel, to) => post(`/museums/${museum}/unions`, { panel, to });
export const splitPanel = (museum, project) => post(`/museums/${museum}/splits`, { project });
export const findHoleFits = (museum, query) => get(`/museums/${museum}/hole?${asQuery(query)}`);
export const giveTile = (museum, gift) => post(`/museums/${museum}/gifts`, gift);
export const getReport = (museum) => get(`/museums/${museum}/report`);

/** A query of what is given; what is not is left out. */
function asQuery(values) {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}

/** Send one file; `onProgress` gets the bytes sent so far. Resolves with what the server took. */
export function upload(project, kind, file, onProgress) {
  return send(`${baseOf(project)}/uploads?${asQuery({ kind, name: file.name })}`, file, onProgress);
}

/** The same to a crate of a museum. */
export function uploadToCrate(museum, crate, photographs, file, onProgress) {
  const query = asQuery({ crate, photographs, name: file.name });
  return send(`/api/museums/${museum}/uploads?${query}`, file, onProgress);
}

function send(address, file, onProgress = () => {}, signal = null) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(event.loaded);
    request.onerror = () => reject(unanswered());
    request.onabort = () => reject(signal.reason);
    signal?.addEventListener("abort", () => request.abort());
    request.onload = () => {
      noteAnswer();
      if (request.status < 400) resolve(request.response);
      else reject(failed(request.response, request.status));
    };
    request.send(file);
  });
}

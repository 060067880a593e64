# syntax=docker/dockerfile:1
FROM python:3.11-slim AS build

WORKDIR /src
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/flagbook
ENV PATH="/opt/flagbook/bin:$PATH"

# PyTorch for the CPU comes first: from the default index it would bring gigabytes of CUDA.
COPY constraints.txt ./
RUN pip install --no-deps --index-url https://download.pytorch.org/whl/cpu "$(grep '^torch==' constraints.txt)"
COPY pyproject.toml README.md LICENSE ./
COPY flags flags
COPY service service
COPY examples examples
RUN pip install --constraint constraints.txt . \
 && HF_HUB_OFFLINE=1 flagbook --version

FROM python:3.11-slim

# Only /data is written to; the rest of the file system may be mounted read-only.
RUN useradd --system --uid 10001 --home-dir /data --no-create-home flagbook \
 && mkdir /data /spaces \
 && chown flagbook /data
COPY --from=build /opt/flagbook /opt/flagbook

ENV PATH="/opt/flagbook/bin:$PATH" \
    PYTHONDONTWRITEBYTECODE=1 \
    HF_HUB_OFFLINE=1 \
    FLAGBOOK_HOME=/data \
    FLAGBOOK_SPACES=/spaces/spaces.yaml \
    FLAGBOOK_HOST=0.0.0.0 \
    FLAGBOOK_PORT=8300
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8300
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8300/readyz', timeout=4)"]
ENTRYPOINT ["flagbook"]
CMD ["serve"]
